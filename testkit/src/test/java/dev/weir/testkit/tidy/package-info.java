/** Checks of all files in the repository that no compiler or formatter makes. */
@NullMarked
package dev.weir.testkit.tidy;

import org.jspecify.annotations.NullMarked;
