/** Where what was decided is kept: the port that a store implements. */
@NullMarked
package dev.weir.engine.journal;

import org.jspecify.annotations.NullMarked;
