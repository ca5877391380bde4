/**
 * Benchmarks on a real PostgreSQL that compare Weir with the minimum that any engine must write, and with other
 * engines.
 */
@NullMarked
package dev.weir.bench.database;

import org.jspecify.annotations.NullMarked;
