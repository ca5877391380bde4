/** What all classes of core have to keep to, checked on their bytecode. */
@NullMarked
package dev.weir.core.gate;

import org.jspecify.annotations.NullMarked;
