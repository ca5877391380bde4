package dev.weir.core.admission;

import org.jspecify.annotations.Nullable;

/**
 * A ticket that starts.
 *
 * @param poll who asked for it; absent where the run was asked directly
 */
public record Grant(Holding holding, @Nullable Poll poll) {}
