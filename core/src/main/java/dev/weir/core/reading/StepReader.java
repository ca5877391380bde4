package dev.weir.core.reading;

import dev.weir.core.definition.Action;
import dev.weir.core.definition.Compensation;
import dev.weir.core.definition.DataPath;
import dev.weir.core.definition.Demand;
import dev.weir.core.definition.Ending;
import dev.weir.core.definition.FanOut;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.Gate;
import dev.weir.core.definition.OnFailure;
import dev.weir.core.definition.OnNeedsInput;
import dev.weir.core.definition.Preconditions;
import dev.weir.core.definition.Retry;
import dev.weir.core.definition.Schema;
import dev.weir.core.definition.Step;
import dev.weir.core.definition.Tolerance;
import dev.weir.core.expression.Template;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads one step. */
final class StepReader {
    private StepReader() {}

    /** The step, or nothing if it is wrong in a way that the problems tell. */
    static @Nullable Step step(Fields fields) {
        String id = fields.text("id");
        Action action = ActionReader.ofStep(fields);
        Preconditions preconditions = preconditions(fields);
        FanOut fanOut = fanOut(fields);
        Demand demand = demand(fields);
        Step.Attempts attempts = attempts(fields);
        Ending ending = ending(fields);
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

    private static Preconditions preconditions(Fields fields) {
        Fields gate = fields.object("gate");
        List<DataPath> requires = fields.texts("requires").stream()
                .filter(DataPath::isPath)
                .map(DataPath::of)
                .toList();
        Template condition = fields.template("if");
        Template note = gate == null ? null : gate.template("note");
        return new Preconditions(fields.texts("needs"), requires, condition, gate == null ? null : new Gate(note));
    }

    private static @Nullable FanOut fanOut(Fields fields) {
        Template items = fields.template("with_items");
        Integer concurrency = fields.whole("concurrency");
        Integer batchSize = fields.whole("batch_size");
        Tolerance tolerate = tolerance(fields);
        return items == null ? null : fields.make(() -> new FanOut(items, concurrency, batchSize, tolerate));
    }

    private static Tolerance tolerance(Fields fields) {
        JsonNode value = fields.find("tolerate");
        if (value != null && value.isString() && value.stringValue().matches("[0-9]{1,3}%")) {
            int percent = Integer.parseInt(value.stringValue().replace("%", ""));
            return fields.make(Tolerance.NONE, () -> new Tolerance.Percent(percent));
        }
        int count = fields.whole("tolerate", 0);
        return fields.make(Tolerance.NONE, () -> new Tolerance.Count(count));
    }

    private static Demand demand(Fields fields) {
        Integer slots = fields.whole("slots");
        Boolean exclusive = fields.truth("exclusive");
        List<FlowControl> flowControl = LimitsReader.flowControl(fields);
        Integer priority = fields.whole("priority");
        return fields.make(Demand.NONE, () -> new Demand(slots, exclusive, flowControl, priority));
    }

    private static Step.Attempts attempts(Fields fields) {
        Retry retry = retry(fields);
        Duration timeout = fields.duration("timeout", Step.Attempts.DEFAULT_TIMEOUT);
        return fields.make(Step.Attempts.DEFAULT, () -> new Step.Attempts(retry, timeout));
    }

    /** A timeout is one of tries, and only what somebody works on is tried. */
    static void checkTimeout(Fields step) {
        List<String> waits = ActionReader.written(step, List.of("invoke", "sleep", "wait_for", "emit"));
        String action = waits.isEmpty() ? "gate" : waits.getFirst();
        boolean works = step.has("uses") || step.has("call");
        if (!step.has("timeout") || works || !step.has(action)) {
            return;
        }
        String instead = switch (action) {
            case "invoke" -> ": give the workflow that it invokes a deadline";
            case "wait_for" -> ": put it into wait_for";
            default -> "";
        };
        step.problems()
                .addName(
                        step.path() + "/timeout",
                        "expected timeout beside uses or call, found it beside " + action + instead);
    }

    private static Retry retry(Fields step) {
        Fields fields = step.object("retry");
        if (fields == null) {
            return Retry.DEFAULT;
        }
        Retry usual = Retry.DEFAULT;
        int maxAttempts = fields.whole("max_attempts", usual.maxAttempts());
        Duration delay = fields.duration("delay", usual.delay());
        Retry.Backoff backoff = fields.choice("backoff", usual.backoff());
        Duration maxDelay =
                fields.duration("max_delay", delay.compareTo(usual.maxDelay()) > 0 ? delay : usual.maxDelay());
        double jitter = fields.number("jitter", usual.jitter());
        int maxRescheduled = fields.whole("max_rescheduled", usual.maxRescheduled());
        return fields.make(usual, () -> new Retry(maxAttempts, delay, backoff, maxDelay, jitter, maxRescheduled));
    }

    private static Ending ending(Fields fields) {
        OnFailure onFailure = fields.choice("on_failure", OnFailure.FAIL);
        OnNeedsInput onNeedsInput = fields.choice("on_needs_input", OnNeedsInput.KEEP);
        Schema outputSchema = fields.schema("output_schema");
        return new Ending(onFailure, onNeedsInput, outputSchema, compensation(fields));
    }

    private static @Nullable Compensation compensation(Fields step) {
        Fields fields = step.object("compensate");
        if (fields == null) {
            return null;
        }
        Action.Work action = ActionReader.ofCompensation(fields);
        Step.Attempts attempts = attempts(fields);
        return action == null ? null : new Compensation(action, attempts.retry(), attempts.timeout());
    }
}
