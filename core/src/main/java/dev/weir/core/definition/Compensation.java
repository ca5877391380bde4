package dev.weir.core.definition;

import java.time.Duration;

/** What undoes a completed step when the run is compensated; it passes admission like any step. */
public record Compensation(Action.Work action, Retry retry, Duration timeout) {
    /** What the id of a step is followed by where that is meant which undoes it; no step's own id has a dot. */
    public static final String SUFFIX = ".compensate";

    /** The id of the step that the step with this id undoes. */
    public static String undone(String id) {
        return id.substring(0, id.length() - SUFFIX.length());
    }

    public Compensation {
        Require.positive("timeout", timeout);
    }
}
