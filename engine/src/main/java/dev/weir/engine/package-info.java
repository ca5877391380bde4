/** Weir as a library: decides in memory, commits once, then acts. */
@NullMarked
package dev.weir.engine;

import org.jspecify.annotations.NullMarked;
