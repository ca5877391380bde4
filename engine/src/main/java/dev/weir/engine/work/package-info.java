/** What a Java program says and hears when it works on steps within its own process. */
@NullMarked
package dev.weir.engine.work;

import org.jspecify.annotations.NullMarked;
