package dev.weir.forecast;

import dev.weir.core.definition.Action;
import dev.weir.core.definition.Step;
import java.util.Map;

/**
 * The behaviour of the steps of a workflow.
 *
 * @param named the behaviours by step id, by module, or {@value #DEFAULT} for everything else that takes time
 */
public record WorkflowBehaviour(Map<String, StepBehaviour> named) {
    /** The name for everything that has no behaviour of its own. */
    public static final String DEFAULT = "default";

    public static final WorkflowBehaviour USUAL = new WorkflowBehaviour(Map.of());

    public WorkflowBehaviour {
        named = Map.copyOf(named);
    }

    /**
     * Returns the step's own behaviour, else its module's, else the default. Signals, approvals and events come at
     * once.
     */
    StepBehaviour of(Step step) {
        StepBehaviour own = named.get(step.id());
        if (own != null) {
            return own;
        }
        return switch (step.action()) {
            case Action.Uses uses -> {
                StepBehaviour ofModule = named.get(uses.module());
                yield ofModule == null ? usual() : ofModule;
            }
            case Action.Call ignored -> usual();
            case Action.Invoke ignored -> usual();
            case Action.Sleep ignored -> StepBehaviour.AT_ONCE;
            case Action.WaitFor ignored -> StepBehaviour.AT_ONCE;
            case Action.Emit ignored -> StepBehaviour.AT_ONCE;
            case Action.GateOnly ignored -> StepBehaviour.AT_ONCE;
        };
    }

    boolean givesOutput(String step) {
        StepBehaviour own = named.get(step);
        return own != null && own.output() != null;
    }

    private StepBehaviour usual() {
        return named.getOrDefault(DEFAULT, StepBehaviour.ONE_SECOND);
    }
}
