package dev.weir.core.definition;

import dev.weir.core.expression.Template;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes a workflow as JSON, with canonical field names and without absent and default values. */
final class WorkflowJson {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final ObjectNode json = NODES.objectNode();

    private WorkflowJson() {}

    static ObjectNode of(Workflow workflow) {
        RunLimits run = workflow.runLimits();
        Workflow.Policy policy = workflow.policy();
        var runtime = new WorkflowJson()
                .integer("max_parallel", run.maxParallel(), null)
                .duration("tick_interval", run.tickInterval(), RunLimits.DEFAULT_TICK_INTERVAL);
        var out = new WorkflowJson()
                .text("workflow", workflow.name())
                .text("description", workflow.about().description())
                .schema("input_schema", workflow.about().inputSchema())
                .integer("max_concurrent_steps", run.maxConcurrentSteps(), null)
                .integer("max_steps_per_tick", run.maxStepsPerTick(), null)
                .object("runtime", runtime)
                .object("limits", limits(workflow.limits()))
                .choice("cancel", policy.cancel(), CancelPolicy.ALLOW_FINISH)
                .integer("priority", policy.priority(), 0);
        if (!workflow.flowControl().isEmpty()) {
            out.json.set("flow_control", flowControls(workflow.flowControl()));
        }
        if (policy.deadline() != null) {
            var deadline = new WorkflowJson()
                    .duration("after", policy.deadline().after(), null)
                    .choice("action", policy.deadline().action(), Deadline.Action.FAIL);
            out.object("deadline", deadline);
        }
        out.list(
                "triggers",
                workflow.triggers().stream().map(WorkflowJson::trigger).toList());
        out.list("steps", workflow.steps().stream().map(WorkflowJson::step).toList());
        return out.json;
    }

    private static WorkflowJson limits(WorkflowLimits limits) {
        var out = new WorkflowJson()
                .integer("max_concurrent_runs", limits.maxConcurrentRuns(), null)
                .integer("runs_per_minute", limits.runsPerMinute(), null)
                .integer("max_cascade_depth", limits.maxCascadeDepth(), null);
        WorkflowLimits.PerKey perKey = limits.perKey();
        return perKey == null
                ? out
                : out.template("run_key", perKey.runKey())
                        .integer("max_concurrent_runs_per_key", perKey.maxConcurrentRuns(), null)
                        .integer("runs_per_minute_per_key", perKey.runsPerMinute(), null);
    }

    private static ArrayNode flowControls(List<FlowControl> list) {
        ArrayNode array = NODES.arrayNode();
        for (FlowControl control : list) {
            var out = new WorkflowJson()
                    .template("key", control.key())
                    .integer("parallelism", control.parallelism(), null)
                    .integer("weight", control.weight(), 1)
                    .integer("cost", control.cost(), 1);
            RateLimit rate = control.rate();
            if (rate != null) {
                out.integer("rate", rate.count(), null)
                        .duration("period", rate.period(), RateLimit.DEFAULT_PERIOD)
                        .choice("window", rate.window(), RateLimit.Window.SLIDING);
            }
            array.add(out.json);
        }
        return array;
    }

    private static ObjectNode trigger(Trigger trigger) {
        var out = new WorkflowJson().text("id", trigger.id()).template("input", trigger.input());
        switch (trigger) {
            case Trigger.OnEvent event -> {
                out.text("event", event.event()).template("if", event.condition());
                if (event.debounce() != null) {
                    var debounce = new WorkflowJson()
                            .template("key", event.debounce().key())
                            .duration("period", event.debounce().period(), null)
                            .duration("max_wait", event.debounce().maxWait(), null);
                    out.object("debounce", debounce);
                }
            }
            case Trigger.OnSchedule schedule -> {
                out.text("schedule", schedule.schedule());
                if (!schedule.timezone().equals(ZoneOffset.UTC)) {
                    out.text("timezone", schedule.timezone().getId());
                }
                out.choice("missed", schedule.missed(), MissedRuns.ONCE);
            }
        }
        return out.json;
    }

    private static ObjectNode step(Step step) {
        Preconditions preconditions = step.preconditions();
        ResultRules resultRules = step.resultRules();
        var out = new WorkflowJson()
                .text("id", step.id())
                .text("description", step.description())
                .texts("needs", step.needs())
                .texts(
                        "requires",
                        preconditions.requires().stream()
                                .map(DataPath::toString)
                                .toList())
                .template("if", preconditions.condition())
                .action(step.action())
                .attempts(step.attempts().retry(), step.attempts().timeout())
                .schema("output_schema", resultRules.outputSchema())
                .choice("on_failure", resultRules.onFailure(), OnFailure.FAIL)
                .choice("on_needs_input", resultRules.onNeedsInput(), OnNeedsInput.KEEP)
                .bool("optional", step.optional() ? Boolean.TRUE : null);
        if (preconditions.gate() != null) {
            out.json.set(
                    "gate",
                    new WorkflowJson().template("note", preconditions.gate().note()).json);
        }
        out.fanOut(step.fanOut());
        out.demand(step.demand());
        Compensation compensation = resultRules.compensation();
        if (compensation != null) {
            var compensationJson = new WorkflowJson()
                    .action(compensation.action())
                    .attempts(compensation.retry(), compensation.timeout());
            out.json.set("compensate", compensationJson.json);
        }
        return out.json;
    }

    private WorkflowJson action(Action action) {
        switch (action) {
            case Action.Uses uses -> {
                text("uses", uses.module());
                if (!uses.with().source().isEmpty()) {
                    template("with", uses.with());
                }
            }
            case Action.Call call -> json.set("call", call(call));
            case Action.TriggeredCall ignored -> json.putObject("triggered_call");
            case Action.Invoke invoke -> {
                var run = new WorkflowJson().text("workflow", invoke.workflow()).template("input", invoke.input());
                if (invoke.flowControl() != null) {
                    run.json.set("flow_control", flowControls(invoke.flowControl()));
                }
                json.set("invoke", run.json);
            }
            case Action.Sleep sleep -> duration("sleep", sleep.time(), null);
            case Action.WaitFor wait -> {
                var signal = new WorkflowJson().text("signal", wait.signal()).duration("timeout", wait.timeout(), null);
                json.set("wait_for", signal.json);
            }
            case Action.Emit emit -> {
                var event = new WorkflowJson().text("event", emit.event()).template("data", emit.data());
                json.set("emit", event.json);
            }
            case Action.GateOnly ignored -> {}
        }
        return this;
    }

    private static ObjectNode call(Action.Call call) {
        var out = new WorkflowJson().template("url", call.url()).template("body", call.body());
        if (call.method() != Action.Method.GET) {
            out.text("method", call.method().name());
        }
        if (!call.headers().source().isEmpty()) {
            out.template("headers", call.headers());
        }
        return out.json;
    }

    private void fanOut(@Nullable FanOut fanOut) {
        if (fanOut == null) {
            return;
        }
        template("with_items", fanOut.items());
        integer("concurrency", fanOut.concurrency(), null);
        integer("batch_size", fanOut.batchSize(), null);
        switch (fanOut.tolerate()) {
            case FailureTolerance.Count count -> integer("tolerate", count.items(), 0);
            case FailureTolerance.Percent percent -> text("tolerate", percent.percent() + "%");
        }
    }

    private void demand(StepDemand demand) {
        integer("slots", demand.slots(), null);
        bool("exclusive", demand.exclusive());
        integer("priority", demand.priority(), null);
        if (demand.flowControl() != null) {
            json.set("flow_control", flowControls(demand.flowControl()));
        }
    }

    private WorkflowJson attempts(RetryPolicy retry, Duration timeout) {
        RetryPolicy defaultValue = RetryPolicy.DEFAULT;
        var out = new WorkflowJson()
                .integer("max_attempts", retry.maxAttempts(), defaultValue.maxAttempts())
                .duration("delay", retry.delay(), defaultValue.delay())
                .choice("backoff", retry.backoff(), defaultValue.backoff())
                .duration("max_delay", retry.maxDelay(), defaultValue.maxDelay())
                .integer("max_rescheduled", retry.maxRescheduled(), defaultValue.maxRescheduled());
        if (retry.jitter() != defaultValue.jitter()) {
            out.json.put("jitter", retry.jitter());
        }
        return object("retry", out).duration("timeout", timeout, Step.Attempts.DEFAULT_TIMEOUT);
    }

    private WorkflowJson text(String field, @Nullable String value) {
        return put(field, value == null ? null : NODES.stringNode(value));
    }

    private WorkflowJson integer(String field, @Nullable Integer value, @Nullable Integer defaultValue) {
        return put(field, value == null || value.equals(defaultValue) ? null : NODES.numberNode(value));
    }

    private WorkflowJson bool(String field, @Nullable Boolean value) {
        return put(field, value == null ? null : NODES.booleanNode(value));
    }

    private WorkflowJson duration(String field, @Nullable Duration value, @Nullable Duration defaultValue) {
        return value == null || value.equals(defaultValue) ? this : text(field, DurationText.format(value));
    }

    private WorkflowJson choice(String field, Enum<?> value, Enum<?> defaultValue) {
        return value == defaultValue ? this : text(field, value.name().toLowerCase(Locale.ROOT));
    }

    private WorkflowJson template(String field, @Nullable Template value) {
        return put(field, value == null ? null : value.source());
    }

    private WorkflowJson schema(String field, @Nullable JsonSchema value) {
        return put(field, value == null ? null : value.document());
    }

    private WorkflowJson texts(String field, List<String> values) {
        ArrayNode array = NODES.arrayNode();
        values.forEach(array::add);
        return put(field, array.isEmpty() ? null : array);
    }

    private WorkflowJson object(String field, WorkflowJson value) {
        return put(field, value.json.isEmpty() ? null : value.json);
    }

    private void list(String field, List<ObjectNode> values) {
        ArrayNode array = NODES.arrayNode();
        values.forEach(array::add);
        put(field, array.isEmpty() ? null : array);
    }

    private WorkflowJson put(String field, @Nullable JsonNode value) {
        if (value != null) {
            json.set(field, Objects.requireNonNull(value));
        }
        return this;
    }
}
