/** The rules of Weir: plain Java with no I/O, threads, clock or randomness of its own. */
@NullMarked
package dev.weir.core;

import org.jspecify.annotations.NullMarked;
