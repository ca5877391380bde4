package dev.weir.core.definition;

import java.time.Duration;

/**
 * The time by which a run must end, counted from its start.
 *
 * @param after the time that the run may take
 * @param action the consequence for a run that takes longer
 */
public record Deadline(Duration after, Action action) {
    public Deadline {
        FieldChecks.checkPositive("deadline", after);
    }

    /** The consequence for a run that reaches its deadline. */
    public enum Action {
        FAIL,
        CANCEL
    }
}
