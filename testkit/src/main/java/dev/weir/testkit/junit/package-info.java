/**
 * A JUnit extension with which users of Weir test their own workflows: the production loop, in memory, in virtual time.
 */
@NullMarked
package dev.weir.testkit.junit;

import org.jspecify.annotations.NullMarked;
