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
    private @Nullable Gate gate;
    private Action action = new Action.GateOnly();
    private @Nullable FanOut fanOut;
    private @Nullable Integer slots;
    private @Nullable Boolean exclusive;
    private @Nullable List<FlowControl> flowControl;
    private @Nullable Integer priority;
    private Step.Attempts attempts = Step.Attempts.DEFAULT;
    private Ending ending = Ending.DEFAULT;
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

    /** Whether it runs: {@code ${{ … }}}. */
    public StepBuilder when(String expression) {
        condition = Template.of(expression);
        return this;
    }

    /** A person's approval before it starts, or as all that it does. */
    public StepBuilder gate(String note) {
        gate = new Gate(Template.of(note));
        return this;
    }

    public StepBuilder uses(String module) {
        return does(new Action.Uses(module, Template.emptyObject()));
    }

    /** Work of a module; texts among the values may hold expressions. */
    public StepBuilder uses(String module, Map<String, String> with) {
        ObjectNode input = JsonNodeFactory.instance.objectNode();
        with.forEach(input::put);
        return uses(module, input);
    }

    public StepBuilder uses(String module, JsonNode with) {
        return does(new Action.Uses(module, Template.of(with)));
    }

    public StepBuilder invoke(String workflowName, JsonNode input) {
        return does(new Action.Invoke(workflowName, Template.of(input)));
    }

    public StepBuilder sleep(Duration time) {
        return does(new Action.Sleep(time));
    }

    public StepBuilder waitFor(String signal, @Nullable Duration timeout) {
        return does(new Action.WaitFor(signal, timeout));
    }

    public StepBuilder emit(String event, JsonNode data) {
        return does(new Action.Emit(event, Template.of(data)));
    }

    public StepBuilder does(Action what) {
        action = what;
        return this;
    }

    /** Once for each element: {@code ${{ … }}}. */
    public StepBuilder withItems(String expression) {
        return withItems(new FanOut(Template.of(expression), null, null, Tolerance.NONE));
    }

    public StepBuilder withItems(String expression, int concurrency) {
        return withItems(new FanOut(Template.of(expression), concurrency, null, Tolerance.NONE));
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

    /** The step's own keys instead of the workflow's; without any it has none. */
    public StepBuilder flowControl(FlowControl... controls) {
        flowControl = List.of(controls);
        return this;
    }

    public StepBuilder priority(int value) {
        priority = value;
        return this;
    }

    public StepBuilder retry(Retry retry) {
        attempts = new Step.Attempts(retry, attempts.timeout());
        return this;
    }

    public StepBuilder timeout(Duration timeout) {
        attempts = new Step.Attempts(attempts.retry(), timeout);
        return this;
    }

    public StepBuilder outputSchema(JsonNode schema) {
        ending = new Ending(ending.onFailure(), ending.onNeedsInput(), Schema.of(schema), ending.compensation());
        return this;
    }

    public StepBuilder compensate(Action.Work undo) {
        var compensation = new Compensation(undo, Retry.DEFAULT, Step.Attempts.DEFAULT_TIMEOUT);
        ending = new Ending(ending.onFailure(), ending.onNeedsInput(), ending.outputSchema(), compensation);
        return this;
    }

    public StepBuilder onFailure(OnFailure then) {
        ending = new Ending(then, ending.onNeedsInput(), ending.outputSchema(), ending.compensation());
        return this;
    }

    public StepBuilder onNeedsInput(OnNeedsInput then) {
        ending = new Ending(ending.onFailure(), then, ending.outputSchema(), ending.compensation());
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
        boolean limited = !attempts.timeout().equals(Step.Attempts.DEFAULT_TIMEOUT);
        if (limited && !(action instanceof Action.Work)) {
            throw new InvalidDefinition("timeout", "a step that uses a module or calls", "step '" + id + "'");
        }
        var preconditions = new Preconditions(needs, requires, condition, gate);
        var demand = new Demand(slots, exclusive, flowControl, priority);
        return new Step(id, description, preconditions, action, fanOut, demand, attempts, ending, optional);
    }
}
