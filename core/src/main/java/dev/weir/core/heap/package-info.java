/** A heap whose members know their place: the one order of who is next, for waiters and for timers. */
@NullMarked
package dev.weir.core.heap;

import org.jspecify.annotations.NullMarked;
