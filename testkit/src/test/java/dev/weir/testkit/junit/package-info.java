/** Tests of the JUnit extension, and of the example that shows it. */
@NullMarked
package dev.weir.testkit.junit;

import org.jspecify.annotations.NullMarked;
