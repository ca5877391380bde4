/** Tests of the engine on a journal in memory, with every kind of failure. */
@NullMarked
package dev.weir.testkit.engine;

import org.jspecify.annotations.NullMarked;
