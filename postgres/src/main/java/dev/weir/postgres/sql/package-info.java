/** How statements are found by their names, filled, and how their failures are understood. */
@NullMarked
package dev.weir.postgres.sql;

import org.jspecify.annotations.NullMarked;
