/** Tools that test the rules of Weir: by seed, in virtual time, with checkers that share no code with the rules. */
@NullMarked
package dev.weir.testkit;

import org.jspecify.annotations.NullMarked;
