package dev.weir.core.definition;

import dev.weir.core.expression.Template;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Builds a workflow in Java. The result equals that of reading the same definition from a file. */
public final class WorkflowBuilder {
    private final String name;
    private @Nullable String description;
    private @Nullable JsonSchema inputSchema;
    private RunLimits runLimits = RunLimits.NONE;
    private WorkflowLimits limits = WorkflowLimits.NONE;
    private Workflow.Policy policy = Workflow.Policy.DEFAULT;
    private final List<FlowControl> flowControl = new ArrayList<>();
    private final List<Trigger> triggers = new ArrayList<>();
    private final List<StepBuilder> steps = new ArrayList<>();

    WorkflowBuilder(String name) {
        this.name = name;
    }

    public WorkflowBuilder description(String text) {
        description = text;
        return this;
    }

    public WorkflowBuilder inputSchema(JsonNode schema) {
        inputSchema = JsonSchema.of(schema);
        return this;
    }

    public WorkflowBuilder maxConcurrentSteps(int steps) {
        RunLimits old = runLimits;
        runLimits = new RunLimits(steps, old.maxStepsPerTick(), old.maxParallel(), old.tickInterval());
        return this;
    }

    public WorkflowBuilder maxStepsPerTick(int steps) {
        RunLimits old = runLimits;
        runLimits = new RunLimits(old.maxConcurrentSteps(), steps, old.maxParallel(), old.tickInterval());
        return this;
    }

    public WorkflowBuilder maxParallel(int slots) {
        RunLimits old = runLimits;
        runLimits = new RunLimits(old.maxConcurrentSteps(), old.maxStepsPerTick(), slots, old.tickInterval());
        return this;
    }

    public WorkflowBuilder tickInterval(Duration interval) {
        RunLimits old = runLimits;
        runLimits = new RunLimits(old.maxConcurrentSteps(), old.maxStepsPerTick(), old.maxParallel(), interval);
        return this;
    }

    public WorkflowBuilder limits(WorkflowLimits limits) {
        this.limits = limits;
        return this;
    }

    /** Adds keys that the steps inherit. */
    public WorkflowBuilder flowControl(FlowControl... controls) {
        flowControl.addAll(List.of(controls));
        return this;
    }

    public WorkflowBuilder deadline(Duration after) {
        return policy(
                old -> new Workflow.Policy(new Deadline(after, Deadline.Action.FAIL), old.cancel(), old.priority()));
    }

    /** Changes the deadline, cancellation or priority of runs. */
    public WorkflowBuilder policy(UnaryOperator<Workflow.Policy> change) {
        policy = change.apply(policy);
        return this;
    }

    public WorkflowBuilder trigger(Trigger trigger) {
        triggers.add(trigger);
        return this;
    }

    public WorkflowBuilder onEvent(String id, String event) {
        return trigger(new Trigger.OnEvent(id, event, null, null, null));
    }

    /** Limits the runs that share a key. */
    public WorkflowBuilder runKey(String key, int maxConcurrentRuns) {
        var perKey = new WorkflowLimits.PerKey(Template.of(key), maxConcurrentRuns, null);
        return limits(new WorkflowLimits(
                limits.maxConcurrentRuns(), limits.runsPerMinute(), perKey, limits.maxCascadeDepth()));
    }

    /** Begins a step. It ends where the next step begins. */
    public StepBuilder step(String id) {
        var step = new StepBuilder(this, id);
        steps.add(step);
        return step;
    }

    public Workflow build() {
        List<Step> built = steps.stream().map(StepBuilder::toStep).toList();
        var about = new Workflow.About(name, description, inputSchema);
        return new Workflow(about, runLimits, limits, flowControl, policy, triggers, built);
    }
}
