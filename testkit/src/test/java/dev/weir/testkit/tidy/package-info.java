/** Checks on every file of the repository for what no compiler or formatter checks. */
@NullMarked
package dev.weir.testkit.tidy;

import org.jspecify.annotations.NullMarked;
