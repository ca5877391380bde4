package dev.weir.core.definition;

import dev.weir.core.json.CanonicalJson;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A definition: steps, what they depend on, and the limits under which they run.
 *
 * @param about its name and what it takes
 * @param runLimits what each run may do at once
 * @param limits how many runs there may be
 * @param flowControl the keys that its steps inherit
 * @param policy how its runs are treated
 * @param triggers what starts runs by itself
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
        flowControl = FlowControl.distinct(flowControl);
        triggers = List.copyOf(triggers);
        steps = List.copyOf(steps);
        Require.atMost("triggers", triggers, Bounds.TRIGGERS_MAX);
        Require.atMost("steps", steps, Bounds.STEPS_MAX);
        List<Problem> problems = Consistency.problems(runLimits, limits, flowControl, triggers, steps);
        if (!problems.isEmpty()) {
            throw new InvalidDefinition(problems);
        }
    }

    /** Begins a workflow that is built in Java. */
    public static WorkflowBuilder named(String name) {
        return new WorkflowBuilder(name);
    }

    /** The workflow as JSON with canonical names; what is absent or a default is left out. It reads back as an equal one. */
    public ObjectNode toJson() {
        return WorkflowJson.of(this);
    }

    /** The same for equal workflows, however they were written: 64 hexadecimal digits. */
    public String contentHash() {
        return CanonicalJson.hash(toJson());
    }

    public String name() {
        return about.name();
    }

    /** The keys of a step: its own, or else those of its workflow. */
    public List<FlowControl> flowControlOf(Step step) {
        List<FlowControl> own = step.demand().flowControl();
        return own == null ? flowControl : own;
    }

    /** The step with that id, or what undoes it where the id ends with {@link Compensation#SUFFIX}; it must exist. */
    public Step step(String id) {
        if (id.endsWith(Compensation.SUFFIX)) {
            return step(Compensation.undone(id)).compensating();
        }
        for (Step step : steps) {
            if (step.id().equals(id)) {
                return step;
            }
        }
        throw new IllegalArgumentException("workflow " + name() + " has no step " + id);
    }

    /**
     * What a workflow is.
     *
     * @param inputSchema what a run's input must fit; absent = anything
     */
    public record About(
            String name,
            @Nullable String description,
            @Nullable Schema inputSchema) {
        public About {
            Require.name("workflow", name);
        }
    }

    /**
     * How runs are treated.
     *
     * @param deadline when a run must have ended; absent = never
     * @param cancel what a cancel does to running steps
     * @param priority the priority of a run that is started without one
     */
    public record Policy(@Nullable Deadline deadline, CancelPolicy cancel, int priority) {
        public static final Policy DEFAULT = new Policy(null, CancelPolicy.ALLOW_FINISH, 0);

        public Policy {
            Require.between("priority", priority, Bounds.PRIORITY_MIN, Bounds.PRIORITY_MAX);
        }
    }
}
