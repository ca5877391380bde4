/** Tests of the committed console. */
@NullMarked
package dev.weir.console;

import org.jspecify.annotations.NullMarked;
