/** Templates of literal JSON with expressions, whose evaluation is pure and bounded. */
@NullMarked
package dev.weir.core.expression;

import org.jspecify.annotations.NullMarked;
