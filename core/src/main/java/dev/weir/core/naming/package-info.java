/** Names that people write, and the known ones that they may have meant. */
@NullMarked
package dev.weir.core.naming;

import org.jspecify.annotations.NullMarked;
