package dev.weir.core.definition;

import java.time.Duration;

/**
 * When a run must have ended, counted from its start.
 *
 * @param after how long it may take
 * @param action what becomes of it then
 */
public record Deadline(Duration after, Action action) {
    public Deadline {
        Require.positive("deadline", after);
    }

    /** What becomes of a run at its deadline. */
    public enum Action {
        FAIL,
        CANCEL
    }
}
