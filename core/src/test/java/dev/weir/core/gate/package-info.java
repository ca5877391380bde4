/** Rules for all classes of core, checked on their bytecode. */
@NullMarked
package dev.weir.core.gate;

import org.jspecify.annotations.NullMarked;
