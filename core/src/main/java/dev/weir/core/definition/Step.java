package dev.weir.core.definition;

import dev.weir.core.expression.Template;
import dev.weir.core.expression.Variable;
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

    /**
     * What undoes this step, as a step of its own: it asks for the same slots and keys. Keys that are different for each
     * item cannot be asked for once; the run's are asked for instead.
     */
    public Step compensating() {
        Compensation undo = ending.compensation();
        if (undo == null) {
            throw new IllegalStateException("expected a step that can be undone, found " + id);
        }
        List<FlowControl> keys = demand.flowControl();
        boolean ofItems = keys != null && keys.stream().anyMatch(key -> readsItem(key.key()));
        var same = new Demand(demand.slots(), demand.exclusive(), ofItems ? null : keys, demand.priority());
        var attempts = new Attempts(undo.retry(), undo.timeout());
        return new Step(id, null, Preconditions.NONE, undo.action(), null, same, attempts, Ending.DEFAULT, false);
    }

    private static boolean readsItem(Template key) {
        return key.variables().contains(Variable.ITEM) || key.variables().contains(Variable.INDEX);
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
