package dev.weir.core.definition;

import dev.weir.core.expression.Template;
import dev.weir.core.expression.Variable;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node of a workflow.
 *
 * @param preconditions the conditions under which the step becomes ready
 * @param fanOut the items for which it runs; absent = it runs once
 * @param demand the demands on limits
 * @param attempts the retries and the timeout of attempts
 * @param resultRules the consequences of the result
 * @param optional true if an operator may skip the step
 */
public record Step(
        String id,
        @Nullable String description,
        Preconditions preconditions,
        Action action,
        @Nullable FanOut fanOut,
        StepDemand demand,
        Attempts attempts,
        ResultRules resultRules,
        boolean optional) {
    public Step {
        FieldChecks.checkStepId("id", id);
        if (action instanceof Action.GateOnly && preconditions.gate() == null) {
            throw new InvalidDefinition("gate", "a gate or an action", "neither");
        }
    }

    /**
     * Returns the compensation of this step as a step of its own, with the same slots and keys. Keys that differ
     * between items cannot be taken once, so such a compensation takes the keys of the run instead.
     */
    public Step toCompensationStep() {
        Compensation compensation = resultRules.compensation();
        if (compensation == null) {
            throw new IllegalStateException("expected a step with a compensation, found " + id);
        }
        List<FlowControl> keys = demand.flowControl();
        boolean keysReadItem = keys != null && fanOut != null && keys.stream().anyMatch(key -> readsItem(key.key()));
        var compensationDemand =
                new StepDemand(demand.slots(), demand.exclusive(), keysReadItem ? null : keys, demand.priority());
        var attempts = new Attempts(compensation.retry(), compensation.timeout());
        return new Step(
                id,
                null,
                Preconditions.NONE,
                compensation.action(),
                null,
                compensationDemand,
                attempts,
                ResultRules.DEFAULT,
                false);
    }

    private static boolean readsItem(Template key) {
        return key.mentionedVariables().contains(Variable.ITEM)
                || key.mentionedVariables().contains(Variable.INDEX);
    }

    public List<String> needs() {
        return preconditions.needs();
    }

    /**
     * The retries and the timeout of a step's attempts.
     *
     * @param timeout the longest time for one attempt, from its grant; waiting for a limit never times out
     */
    public record Attempts(RetryPolicy retry, Duration timeout) {
        public static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(5);
        public static final Attempts DEFAULT = new Attempts(RetryPolicy.DEFAULT, DEFAULT_TIMEOUT);

        public Attempts {
            FieldChecks.checkPositive("timeout", timeout);
        }
    }
}
