package dev.weir.core.admission;

import org.jspecify.annotations.Nullable;

/**
 * The decision that a ticket starts.
 *
 * @param poll the poll that gets it; null if a caller claimed it by name
 */
public record Grant(Allocation allocation, @Nullable Poll poll) {}
