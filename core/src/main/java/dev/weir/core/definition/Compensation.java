package dev.weir.core.definition;

import java.time.Duration;

/** What undoes a completed step when the run is compensated; it passes admission like any step. */
public record Compensation(Action.Work action, Retry retry, Duration timeout) {
    public Compensation {
        Require.positive("timeout", timeout);
    }
}
