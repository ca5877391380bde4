/** The pure core alone: what a start costs, and what a waiting step weighs. */
@NullMarked
package dev.weir.bench.core;

import org.jspecify.annotations.NullMarked;
