/** Suggestions for unknown names: the known names that people may have meant. */
@NullMarked
package dev.weir.core.naming;

import org.jspecify.annotations.NullMarked;
