/** Limits: what a capacity and a rate are, who shares them, and how a rate remembers its starts. */
@NullMarked
package dev.weir.core.limit;

import org.jspecify.annotations.NullMarked;
