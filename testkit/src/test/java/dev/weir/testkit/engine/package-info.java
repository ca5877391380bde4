/** The engine on a journal in memory: what it must do whatever happens. */
@NullMarked
package dev.weir.testkit.engine;

import org.jspecify.annotations.NullMarked;
