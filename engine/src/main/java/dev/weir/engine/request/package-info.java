/** The requests that a node receives, their answers, and the failures after which a caller may or may not ask again. */
@NullMarked
package dev.weir.engine.request;

import org.jspecify.annotations.NullMarked;
