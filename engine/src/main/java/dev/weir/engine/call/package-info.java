/** The HTTP requests of {@code call} steps, to addresses that the egress policy allows. */
@NullMarked
package dev.weir.engine.call;

import org.jspecify.annotations.NullMarked;
