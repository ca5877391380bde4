/** The JUnit extension is itself tested, and so is the example that shows it. */
@NullMarked
package dev.weir.testkit.junit;

import org.jspecify.annotations.NullMarked;
