/** Weir's store in PostgreSQL: opening, migration, housekeeping and the inbox. */
@NullMarked
package dev.weir.postgres;

import org.jspecify.annotations.NullMarked;
