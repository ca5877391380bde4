/** Tools that put the rules of Weir to the test: seeded, in virtual time, with checkers that trust no class of the rules. */
@NullMarked
package dev.weir.testkit;

import org.jspecify.annotations.NullMarked;
