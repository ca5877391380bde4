/** Literal JSON with expressions in it: pure, bounded, and never evaluated twice. */
@NullMarked
package dev.weir.core.expression;

import org.jspecify.annotations.NullMarked;
