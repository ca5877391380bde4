/** The types with which a Java program works on steps in its own process. */
@NullMarked
package dev.weir.engine.work;

import org.jspecify.annotations.NullMarked;
