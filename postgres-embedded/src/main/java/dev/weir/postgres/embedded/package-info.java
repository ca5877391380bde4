/** A real, durable PostgreSQL server in a data directory, which ends with the process that opened it. */
@NullMarked
package dev.weir.postgres.embedded;

import org.jspecify.annotations.NullMarked;
