package dev.weir.core.definition;

import java.time.Duration;

/** Work that undoes a completed step when the run is compensated. It passes admission like any step. */
public record Compensation(Action.Work action, RetryPolicy retry, Duration timeout) {
    /**
     * The suffix that turns a step's id into the id of its compensation. No step id contains a dot, so the two never
     * clash.
     */
    public static final String SUFFIX = ".compensate";

    /** Returns the id of the step that the compensation with this id undoes. */
    public static String compensatedStepId(String id) {
        return id.substring(0, id.length() - SUFFIX.length());
    }

    public Compensation {
        FieldChecks.checkPositive("timeout", timeout);
    }
}
