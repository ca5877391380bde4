package dev.weir.core.definition;

import dev.weir.core.json.CanonicalJson;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A definition: steps, their dependencies, and the limits under which they run.
 *
 * @param about the name, description and input schema
 * @param runLimits the limits of each run
 * @param limits the limits on the number of runs
 * @param flowControl the keys that the steps inherit
 * @param policy the deadline, cancellation and priority of runs
 * @param triggers the triggers that start runs
 * @param steps the steps; none = a run completes at once
 */
public record Workflow(
        About about,
        RunLimits runLimits,
        WorkflowLimits limits,
        List<FlowControl> flowControl,
        Policy policy,
        List<Trigger> triggers,
        List<Step> steps) {
    public Workflow {
        flowControl = FlowControl.requireDistinctKeys(flowControl);
        triggers = List.copyOf(triggers);
        steps = List.copyOf(steps);
        FieldChecks.checkSize("triggers", triggers, DefinitionBounds.TRIGGERS_MAX);
        FieldChecks.checkSize("steps", steps, DefinitionBounds.STEPS_MAX);
        List<DefinitionProblem> problems = ConsistencyCheck.problems(runLimits, limits, flowControl, triggers, steps);
        if (!problems.isEmpty()) {
            throw new InvalidDefinition(problems);
        }
    }

    /** True if only Weir itself registers and starts workflows of that name. */
    public static boolean isReserved(String name) {
        return name.startsWith(Action.Uses.BUILT_IN_PREFIX);
    }

    /** Begins a workflow that is built in Java. */
    public static WorkflowBuilder named(String name) {
        return new WorkflowBuilder(name);
    }

    /**
     * Returns the workflow as JSON with canonical names, without absent and default values. It reads back as an equal
     * workflow.
     */
    public ObjectNode toJson() {
        return WorkflowJson.of(this);
    }

    /** Returns 64 hexadecimal digits, which are the same for equal workflows, however they were written. */
    public String contentHash() {
        return CanonicalJson.hash(toJson());
    }

    public String name() {
        return about.name();
    }

    /** Returns the keys of a step: its own, or else those of its workflow. */
    public List<FlowControl> flowControlOf(Step step) {
        List<FlowControl> own = step.demand().flowControl();
        return own == null ? flowControl : own;
    }

    /**
     * Returns the step with that id, or its compensation if the id ends with {@link Compensation#SUFFIX}. The step must
     * exist.
     */
    public Step step(String id) {
        if (id.endsWith(Compensation.SUFFIX)) {
            return step(Compensation.compensatedStepId(id)).toCompensationStep();
        }
        for (Step step : steps) {
            if (step.id().equals(id)) {
                return step;
            }
        }
        throw new IllegalArgumentException("workflow " + name() + " has no step " + id);
    }

    /**
     * The name, description and input of a workflow.
     *
     * @param inputSchema the schema of a run's input; absent = any input
     */
    public record About(
            String name,
            @Nullable String description,
            @Nullable JsonSchema inputSchema) {
        public About {
            FieldChecks.checkName("workflow", name);
        }
    }

    /**
     * The deadline, cancellation and priority of runs.
     *
     * @param deadline the time by which a run must end; absent = no deadline
     * @param cancel the effect of a cancel on running steps
     * @param priority the priority of a run that is started without one
     */
    public record Policy(@Nullable Deadline deadline, CancelPolicy cancel, int priority) {
        public static final Policy DEFAULT = new Policy(null, CancelPolicy.ALLOW_FINISH, 0);

        public Policy {
            FieldChecks.checkRange("priority", priority, DefinitionBounds.PRIORITY_MIN, DefinitionBounds.PRIORITY_MAX);
        }
    }
}
