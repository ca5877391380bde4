package dev.weir.core.explain;

import dev.weir.core.admission.LimitSnapshot;
import dev.weir.core.state.RetryAfterHold;
import org.jspecify.annotations.Nullable;

/**
 * The current state of a flow-control key.
 *
 * @param limit the limit; its {@code paused} is true if anything stops new starts
 * @param pausedUntil the end of an operator's pause; null if the key is not paused
 * @param retryAfter the hold that a called service asked for; absent if there is none
 */
public record KeySnapshot(
        LimitSnapshot limit,
        @Nullable Long pausedUntil,
        @Nullable RetryAfterHold retryAfter) {
    /** True if an operator stopped new starts. */
    public boolean paused() {
        return pausedUntil != null;
    }
}
