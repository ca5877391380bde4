package dev.weir.core.definition;

import dev.weir.core.expression.Template;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Builds one step of a {@link WorkflowBuilder}. */
public final class StepBuilder {
    private final WorkflowBuilder workflow;
    private final String id;
    private @Nullable String description;
    private List<String> needs = List.of();
    private List<DataPath> requires = List.of();
    private @Nullable Template condition;
    private @Nullable ApprovalGate gate;
    private Action action = new Action.GateOnly();
    private @Nullable FanOut fanOut;
    private @Nullable Integer slots;
    private @Nullable Boolean exclusive;
    private @Nullable List<FlowControl> flowControl;
    private @Nullable Integer priority;
    private Step.Attempts attempts = Step.Attempts.DEFAULT;
    private ResultRules resultRules = ResultRules.DEFAULT;
    private boolean optional;

    StepBuilder(WorkflowBuilder workflow, String id) {
        this.workflow = workflow;
        this.id = id;
    }

    public StepBuilder description(String text) {
        description = text;
        return this;
    }

    public StepBuilder needs(String... steps) {
        needs = List.of(steps);
        return this;
    }

    public StepBuilder requires(String... paths) {
        requires = Arrays.stream(paths).map(DataPath::of).toList();
        return this;
    }

    /** Sets the condition for running the step: {@code ${{ … }}}. */
    public StepBuilder when(String expression) {
        condition = Template.of(expression);
        return this;
    }

    /** Requires a person's approval before the step starts. A step without other work completes with the approval. */
    public StepBuilder gate(String note) {
        gate = new ApprovalGate(Template.of(note));
        return this;
    }

    public StepBuilder uses(String module) {
        return action(new Action.Uses(module, Template.emptyObject()));
    }

    /** Sets the work of a module. Texts among the values may contain expressions. */
    public StepBuilder uses(String module, Map<String, String> with) {
        ObjectNode input = JsonNodeFactory.instance.objectNode();
        with.forEach(input::put);
        return uses(module, input);
    }

    public StepBuilder uses(String module, JsonNode with) {
        return action(new Action.Uses(module, Template.of(with)));
    }

    public StepBuilder invoke(String workflowName, JsonNode input) {
        return action(new Action.Invoke(workflowName, Template.of(input)));
    }

    public StepBuilder sleep(Duration time) {
        return action(new Action.Sleep(time));
    }

    public StepBuilder waitFor(String signal, @Nullable Duration timeout) {
        return action(new Action.WaitFor(signal, timeout));
    }

    public StepBuilder emit(String event, JsonNode data) {
        return action(new Action.Emit(event, Template.of(data)));
    }

    public StepBuilder action(Action value) {
        action = value;
        return this;
    }

    /** Runs the step once for each element of the list: {@code ${{ … }}}. */
    public StepBuilder withItems(String expression) {
        return withItems(new FanOut(Template.of(expression), null, null, FailureTolerance.NONE));
    }

    public StepBuilder withItems(String expression, int concurrency) {
        return withItems(new FanOut(Template.of(expression), concurrency, null, FailureTolerance.NONE));
    }

    public StepBuilder withItems(FanOut items) {
        fanOut = items;
        return this;
    }

    public StepBuilder slots(int count) {
        slots = count;
        return this;
    }

    public StepBuilder exclusive() {
        exclusive = true;
        return this;
    }

    /** Sets the step's own keys, which replace those of the workflow. Without arguments the step has no keys. */
    public StepBuilder flowControl(FlowControl... controls) {
        flowControl = List.of(controls);
        return this;
    }

    public StepBuilder priority(int value) {
        priority = value;
        return this;
    }

    public StepBuilder retry(RetryPolicy retry) {
        attempts = new Step.Attempts(retry, attempts.timeout());
        return this;
    }

    public StepBuilder timeout(Duration timeout) {
        attempts = new Step.Attempts(attempts.retry(), timeout);
        return this;
    }

    public StepBuilder outputSchema(JsonNode schema) {
        resultRules = new ResultRules(
                resultRules.onFailure(), resultRules.onNeedsInput(), JsonSchema.of(schema), resultRules.compensation());
        return this;
    }

    public StepBuilder compensate(Action.Work work) {
        var compensation = new Compensation(work, RetryPolicy.DEFAULT, Step.Attempts.DEFAULT_TIMEOUT);
        resultRules = new ResultRules(
                resultRules.onFailure(), resultRules.onNeedsInput(), resultRules.outputSchema(), compensation);
        return this;
    }

    public StepBuilder onFailure(OnFailure then) {
        resultRules = new ResultRules(
                then, resultRules.onNeedsInput(), resultRules.outputSchema(), resultRules.compensation());
        return this;
    }

    public StepBuilder onNeedsInput(OnNeedsInput then) {
        resultRules =
                new ResultRules(resultRules.onFailure(), then, resultRules.outputSchema(), resultRules.compensation());
        return this;
    }

    public StepBuilder optional() {
        optional = true;
        return this;
    }

    /** Begins the next step. */
    public StepBuilder step(String next) {
        return workflow.step(next);
    }

    public Workflow build() {
        return workflow.build();
    }

    Step toStep() {
        boolean hasTimeout = !attempts.timeout().equals(Step.Attempts.DEFAULT_TIMEOUT);
        if (hasTimeout && !(action instanceof Action.Work)) {
            throw new InvalidDefinition("timeout", "a step that uses a module or calls", "step '" + id + "'");
        }
        var preconditions = new Preconditions(needs, requires, condition, gate);
        var demand = new StepDemand(slots, exclusive, flowControl, priority);
        return new Step(id, description, preconditions, action, fanOut, demand, attempts, resultRules, optional);
    }
}
