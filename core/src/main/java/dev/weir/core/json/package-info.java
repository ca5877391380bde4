/** JSON as data: one form for equal values, so that definitions can be compared and hashed. */
@NullMarked
package dev.weir.core.json;

import org.jspecify.annotations.NullMarked;
