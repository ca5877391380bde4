/** Benchmarks on a real PostgreSQL: Weir beside the least that any engine could do, and beside others. */
@NullMarked
package dev.weir.bench.database;

import org.jspecify.annotations.NullMarked;
