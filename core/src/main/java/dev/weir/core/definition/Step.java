package dev.weir.core.definition;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node of a workflow.
 *
 * @param preconditions what must be so before it is ready
 * @param fanOut the items for which it runs; absent = it runs once
 * @param demand what it asks of the limits
 * @param attempts how often and how long it is tried
 * @param ending what its result leads to
 * @param optional whether an operator may skip it
 */
public record Step(
        String id,
        @Nullable String description,
        Preconditions preconditions,
        Action action,
        @Nullable FanOut fanOut,
        Demand demand,
        Attempts attempts,
        Ending ending,
        boolean optional) {
    public Step {
        Require.stepId("id", id);
        if (action instanceof Action.GateOnly && preconditions.gate() == null) {
            throw new InvalidDefinition("gate", "a gate, or something to do", "neither");
        }
    }

    public List<String> needs() {
        return preconditions.needs();
    }

    /**
     * How often and how long a step is tried.
     *
     * @param timeout how long one try may take, from its grant; waiting for a limit never times out
     */
    public record Attempts(Retry retry, Duration timeout) {
        public static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(5);
        public static final Attempts DEFAULT = new Attempts(Retry.DEFAULT, DEFAULT_TIMEOUT);

        public Attempts {
            Require.positive("timeout", timeout);
        }
    }
}
