/** HTTP requests that Weir makes for {@code call} steps, to addresses that it may reach. */
@NullMarked
package dev.weir.engine.call;

import org.jspecify.annotations.NullMarked;
