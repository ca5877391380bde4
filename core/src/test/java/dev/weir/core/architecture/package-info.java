/** Rules for all classes of core, checked on their bytecode. */
@NullMarked
package dev.weir.core.architecture;

import org.jspecify.annotations.NullMarked;
