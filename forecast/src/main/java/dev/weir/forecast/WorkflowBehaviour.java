package dev.weir.forecast;

import dev.weir.core.definition.Action;
import dev.weir.core.definition.Step;
import java.util.Map;

/**
 * The behaviour of the steps of a workflow.
 *
 * @param byName the behaviours by step id, by module, or {@value #DEFAULT_NAME} for everything else that takes time
 */
public record WorkflowBehaviour(Map<String, StepBehaviour> byName) {
    /** The name for everything that has no behaviour of its own. */
    public static final String DEFAULT_NAME = "default";

    public static final WorkflowBehaviour ALL_DEFAULT = new WorkflowBehaviour(Map.of());

    public WorkflowBehaviour {
        byName = Map.copyOf(byName);
    }

    /**
     * Returns the step's own behaviour, else its module's, else the default. Signals, approvals and events come at
     * once.
     */
    StepBehaviour of(Step step) {
        StepBehaviour own = byName.get(step.id());
        if (own != null) {
            return own;
        }
        return switch (step.action()) {
            case Action.Uses uses -> {
                StepBehaviour ofModule = byName.get(uses.module());
                yield ofModule == null ? defaultBehaviour() : ofModule;
            }
            case Action.Call ignored -> defaultBehaviour();
            case Action.TriggeredCall ignored -> defaultBehaviour();
            case Action.Invoke ignored -> defaultBehaviour();
            case Action.Sleep ignored -> StepBehaviour.INSTANT;
            case Action.WaitFor ignored -> StepBehaviour.INSTANT;
            case Action.Emit ignored -> StepBehaviour.INSTANT;
            case Action.GateOnly ignored -> StepBehaviour.INSTANT;
        };
    }

    boolean hasOutput(String step) {
        StepBehaviour own = byName.get(step);
        return own != null && own.output() != null;
    }

    private StepBehaviour defaultBehaviour() {
        return byName.getOrDefault(DEFAULT_NAME, StepBehaviour.ONE_SECOND);
    }
}
