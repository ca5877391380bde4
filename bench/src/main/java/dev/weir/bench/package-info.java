/** Benchmarks that compare ratios measured in one run on one machine. */
@NullMarked
package dev.weir.bench;

import org.jspecify.annotations.NullMarked;
