/** Weir as a library: decides in memory, commits once, and then answers. */
@NullMarked
package dev.weir.engine;

import org.jspecify.annotations.NullMarked;
