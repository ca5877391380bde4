/** Weir on PostgreSQL: where what was decided is kept, and read from. */
@NullMarked
package dev.weir.postgres;

import org.jspecify.annotations.NullMarked;
