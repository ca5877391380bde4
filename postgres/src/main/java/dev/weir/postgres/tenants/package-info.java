/** Organisations and their tokens. */
@NullMarked
package dev.weir.postgres.tenants;

import org.jspecify.annotations.NullMarked;
