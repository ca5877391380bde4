/** Limits: the capacities and rates, their identities, and the memory of a rate's starts. */
@NullMarked
package dev.weir.core.limit;

import org.jspecify.annotations.NullMarked;
