/** The rows of API tokens and of the audit. */
@NullMarked
package dev.weir.postgres.access;

import org.jspecify.annotations.NullMarked;
