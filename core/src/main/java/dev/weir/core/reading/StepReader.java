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
    static @Nullable Step read(FieldReader fields) {
        String id = fields.text("id");
        Action action = ActionReader.readStepAction(fields);
        Preconditions preconditions = readPreconditions(fields);
        FanOut fanOut = readFanOut(fields);
        StepDemand demand = readDemand(fields);
        Step.Attempts attempts = readAttempts(fields);
        ResultRules resultRules = readResultRules(fields);
        Boolean optional = fields.bool("optional");
        if (id == null || action == null) {
            return null;
        }
        return fields.buildOrReport(() -> new Step(
                id,
                fields.text("description"),
                preconditions,
                action,
                fanOut,
                demand,
                attempts,
                resultRules,
                Boolean.TRUE.equals(optional)));
    }

    private static Preconditions readPreconditions(FieldReader fields) {
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

    private static @Nullable FanOut readFanOut(FieldReader fields) {
        Template items = fields.template("with_items");
        Integer concurrency = fields.integer("concurrency");
        Integer batchSize = fields.integer("batch_size");
        FailureTolerance tolerate = readTolerance(fields);
        return items == null ? null : fields.buildOrReport(() -> new FanOut(items, concurrency, batchSize, tolerate));
    }

    private static FailureTolerance readTolerance(FieldReader fields) {
        JsonNode value = fields.find("tolerate");
        if (value != null && value.isString() && value.stringValue().matches("[0-9]{1,3}%")) {
            int percent = Integer.parseInt(value.stringValue().replace("%", ""));
            return fields.buildOrReport(FailureTolerance.NONE, () -> new FailureTolerance.Percent(percent));
        }
        int count = fields.integer("tolerate", 0);
        return fields.buildOrReport(FailureTolerance.NONE, () -> new FailureTolerance.Count(count));
    }

    private static StepDemand readDemand(FieldReader fields) {
        Integer slots = fields.integer("slots");
        Boolean exclusive = fields.bool("exclusive");
        List<FlowControl> flowControl = LimitsReader.readFlowControl(fields);
        Integer priority = fields.integer("priority");
        return fields.buildOrReport(StepDemand.NONE, () -> new StepDemand(slots, exclusive, flowControl, priority));
    }

    private static Step.Attempts readAttempts(FieldReader fields) {
        RetryPolicy retry = readRetry(fields);
        Duration timeout = fields.duration("timeout", Step.Attempts.DEFAULT_TIMEOUT);
        return fields.buildOrReport(Step.Attempts.DEFAULT, () -> new Step.Attempts(retry, timeout));
    }

    /**
     * Checks that only a step with attempts has a timeout. A timeout applies to one attempt, and only work has
     * attempts.
     */
    static void checkTimeout(FieldReader step) {
        List<String> otherActions = ActionReader.presentFields(step, List.of("invoke", "sleep", "wait_for", "emit"));
        String action = otherActions.isEmpty() ? "gate" : otherActions.getFirst();
        boolean isWork = step.has("uses") || step.has("call");
        if (!step.has("timeout") || isWork || !step.has(action)) {
            return;
        }
        String instead = switch (action) {
            case "invoke" -> "; set a deadline in the workflow that it invokes instead";
            case "wait_for" -> "; set it in wait_for instead";
            default -> "";
        };
        step.problems()
                .addAtName(
                        step.path() + "/timeout",
                        "expected timeout only together with uses or call, found it with " + action + instead);
    }

    private static RetryPolicy readRetry(FieldReader step) {
        FieldReader fields = step.object("retry");
        if (fields == null) {
            return RetryPolicy.DEFAULT;
        }
        RetryPolicy defaults = RetryPolicy.DEFAULT;
        int maxAttempts = fields.integer("max_attempts", defaults.maxAttempts());
        Duration delay = fields.duration("delay", defaults.delay());
        RetryPolicy.Backoff backoff = fields.choice("backoff", defaults.backoff());
        Duration maxDelay =
                fields.duration("max_delay", delay.compareTo(defaults.maxDelay()) > 0 ? delay : defaults.maxDelay());
        double jitter = fields.number("jitter", defaults.jitter());
        int maxRescheduled = fields.integer("max_rescheduled", defaults.maxRescheduled());
        return fields.buildOrReport(
                defaults, () -> new RetryPolicy(maxAttempts, delay, backoff, maxDelay, jitter, maxRescheduled));
    }

    private static ResultRules readResultRules(FieldReader fields) {
        OnFailure onFailure = fields.choice("on_failure", OnFailure.FAIL);
        OnNeedsInput onNeedsInput = fields.choice("on_needs_input", OnNeedsInput.KEEP);
        JsonSchema outputSchema = fields.schema("output_schema");
        return new ResultRules(onFailure, onNeedsInput, outputSchema, readCompensation(fields));
    }

    private static @Nullable Compensation readCompensation(FieldReader step) {
        FieldReader fields = step.object("compensate");
        if (fields == null) {
            return null;
        }
        Action.Work action = ActionReader.readCompensationAction(fields);
        Step.Attempts attempts = readAttempts(fields);
        return action == null ? null : new Compensation(action, attempts.retry(), attempts.timeout());
    }
}
