/** The stored records of runs, steps and claims, and the moves that change them. */
@NullMarked
package dev.weir.core.state;

import org.jspecify.annotations.NullMarked;
