package dev.weir.core.reading;

import dev.weir.core.definition.Action;
import dev.weir.core.definition.ApprovalGate;
import dev.weir.core.definition.Compensation;
import dev.weir.core.definition.DataPath;
import dev.weir.core.definition.FailureTolerance;
import dev.weir.core.definition.FanOut;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.JsonSchema;
import dev.weir.core.definition.OnFailure;
import dev.weir.core.definition.OnNeedsInput;
import dev.weir.core.definition.Preconditions;
import dev.weir.core.definition.ResultRules;
import dev.weir.core.definition.RetryPolicy;
import dev.weir.core.definition.Step;
import dev.weir.core.definition.StepDemand;
import dev.weir.core.expression.Template;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads one step. */
final class StepReader {
    private StepReader() {}

    /** Returns the step, or null if it is wrong. The problems then say why. */
    static @Nullable Step step(FieldReader fields) {
        String id = fields.text("id");
        Action action = ActionReader.ofStep(fields);
        Preconditions preconditions = preconditions(fields);
        FanOut fanOut = fanOut(fields);
        StepDemand demand = demand(fields);
        Step.Attempts attempts = attempts(fields);
        ResultRules ending = ending(fields);
        Boolean optional = fields.truth("optional");
        if (id == null || action == null) {
            return null;
        }
        return fields.make(() -> new Step(
                id,
                fields.text("description"),
                preconditions,
                action,
                fanOut,
                demand,
                attempts,
                ending,
                Boolean.TRUE.equals(optional)));
    }

    private static Preconditions preconditions(FieldReader fields) {
        FieldReader gate = fields.object("gate");
        List<DataPath> requires = fields.texts("requires").stream()
                .filter(DataPath::isPath)
                .map(DataPath::of)
                .toList();
        Template condition = fields.template("if");
        Template note = gate == null ? null : gate.template("note");
        return new Preconditions(
                fields.texts("needs"), requires, condition, gate == null ? null : new ApprovalGate(note));
    }

    private static @Nullable FanOut fanOut(FieldReader fields) {
        Template items = fields.template("with_items");
        Integer concurrency = fields.whole("concurrency");
        Integer batchSize = fields.whole("batch_size");
        FailureTolerance tolerate = tolerance(fields);
        return items == null ? null : fields.make(() -> new FanOut(items, concurrency, batchSize, tolerate));
    }

    private static FailureTolerance tolerance(FieldReader fields) {
        JsonNode value = fields.find("tolerate");
        if (value != null && value.isString() && value.stringValue().matches("[0-9]{1,3}%")) {
            int percent = Integer.parseInt(value.stringValue().replace("%", ""));
            return fields.make(FailureTolerance.NONE, () -> new FailureTolerance.Percent(percent));
        }
        int count = fields.whole("tolerate", 0);
        return fields.make(FailureTolerance.NONE, () -> new FailureTolerance.Count(count));
    }

    private static StepDemand demand(FieldReader fields) {
        Integer slots = fields.whole("slots");
        Boolean exclusive = fields.truth("exclusive");
        List<FlowControl> flowControl = LimitsReader.flowControl(fields);
        Integer priority = fields.whole("priority");
        return fields.make(StepDemand.NONE, () -> new StepDemand(slots, exclusive, flowControl, priority));
    }

    private static Step.Attempts attempts(FieldReader fields) {
        RetryPolicy retry = retry(fields);
        Duration timeout = fields.duration("timeout", Step.Attempts.DEFAULT_TIMEOUT);
        return fields.make(Step.Attempts.DEFAULT, () -> new Step.Attempts(retry, timeout));
    }

    /**
     * Checks that only a step with attempts has a timeout. A timeout applies to one attempt, and only work has
     * attempts.
     */
    static void checkTimeout(FieldReader step) {
        List<String> waits = ActionReader.written(step, List.of("invoke", "sleep", "wait_for", "emit"));
        String action = waits.isEmpty() ? "gate" : waits.getFirst();
        boolean works = step.has("uses") || step.has("call");
        if (!step.has("timeout") || works || !step.has(action)) {
            return;
        }
        String instead = switch (action) {
            case "invoke" -> "; set a deadline in the workflow that it invokes instead";
            case "wait_for" -> "; set it in wait_for instead";
            default -> "";
        };
        step.problems()
                .addName(
                        step.path() + "/timeout",
                        "expected timeout only together with uses or call, found it with " + action + instead);
    }

    private static RetryPolicy retry(FieldReader step) {
        FieldReader fields = step.object("retry");
        if (fields == null) {
            return RetryPolicy.DEFAULT;
        }
        RetryPolicy usual = RetryPolicy.DEFAULT;
        int maxAttempts = fields.whole("max_attempts", usual.maxAttempts());
        Duration delay = fields.duration("delay", usual.delay());
        RetryPolicy.Backoff backoff = fields.choice("backoff", usual.backoff());
        Duration maxDelay =
                fields.duration("max_delay", delay.compareTo(usual.maxDelay()) > 0 ? delay : usual.maxDelay());
        double jitter = fields.number("jitter", usual.jitter());
        int maxRescheduled = fields.whole("max_rescheduled", usual.maxRescheduled());
        return fields.make(usual, () -> new RetryPolicy(maxAttempts, delay, backoff, maxDelay, jitter, maxRescheduled));
    }

    private static ResultRules ending(FieldReader fields) {
        OnFailure onFailure = fields.choice("on_failure", OnFailure.FAIL);
        OnNeedsInput onNeedsInput = fields.choice("on_needs_input", OnNeedsInput.KEEP);
        JsonSchema outputSchema = fields.schema("output_schema");
        return new ResultRules(onFailure, onNeedsInput, outputSchema, compensation(fields));
    }

    private static @Nullable Compensation compensation(FieldReader step) {
        FieldReader fields = step.object("compensate");
        if (fields == null) {
            return null;
        }
        Action.Work action = ActionReader.ofCompensation(fields);
        Step.Attempts attempts = attempts(fields);
        return action == null ? null : new Compensation(action, attempts.retry(), attempts.timeout());
    }
}
