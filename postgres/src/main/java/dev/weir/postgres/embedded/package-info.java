/** A real, durable PostgreSQL that lives in a data directory and ends with the process that opened it. */
@NullMarked
package dev.weir.postgres.embedded;

import org.jspecify.annotations.NullMarked;
