/** What people give Weir: workflows, steps and their limits, as values that check themselves. */
@NullMarked
package dev.weir.core.definition;

import org.jspecify.annotations.NullMarked;
