/** A heap whose members know their index, for waiters and timers. */
@NullMarked
package dev.weir.core.heap;

import org.jspecify.annotations.NullMarked;
