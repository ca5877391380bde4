/** Benchmarks of the pure core: the cost of a start, and the memory of a waiting step. */
@NullMarked
package dev.weir.bench.core;

import org.jspecify.annotations.NullMarked;
