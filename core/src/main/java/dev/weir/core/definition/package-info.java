/** Definitions: workflows, steps and their limits, as values that validate themselves. */
@NullMarked
package dev.weir.core.definition;

import org.jspecify.annotations.NullMarked;
