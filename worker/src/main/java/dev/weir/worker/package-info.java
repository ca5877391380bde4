/** The loop of a worker: it claims work, runs handlers, keeps claims alive, and reports results in batches. */
@NullMarked
package dev.weir.worker;

import org.jspecify.annotations.NullMarked;
