/** Organisations and their API tokens in PostgreSQL. */
@NullMarked
package dev.weir.postgres.organisations;

import org.jspecify.annotations.NullMarked;
