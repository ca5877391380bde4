/** What tries say while they run, kept apart from what is decided about them. */
@NullMarked
package dev.weir.engine.log;

import org.jspecify.annotations.NullMarked;
