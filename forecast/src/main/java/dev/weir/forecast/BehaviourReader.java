package dev.weir.forecast;

import dev.weir.core.definition.Action;
import dev.weir.core.definition.DurationText;
import dev.weir.core.definition.Step;
import dev.weir.core.definition.Workflow;
import dev.weir.core.limit.Moment;
import dev.weir.core.naming.NearestName;
import dev.weir.core.reading.DataReader;
import dev.weir.core.reading.ReadProblem;
import dev.weir.core.reading.ReadResult;
import dev.weir.forecast.StepBehaviour.Time;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads the behaviour of steps. The key is the id of a step, a module, or {@code default}. The value is a duration, a
 * list of durations to draw from, or an object with {@code duration}, {@code min} and {@code max}, or {@code mean} and
 * {@code jitter}, and with {@code fail} and {@code output}.
 */
public final class BehaviourReader {
    private static final List<String> FIELDS = List.of("duration", "min", "max", "mean", "jitter", "fail", "output");
    private static final String EXPECTED = "a duration such as 2s, a list of durations, or an object";

    private final DataReader data;
    private final List<ReadProblem> problems = new ArrayList<>();

    private BehaviourReader(DataReader data) {
        this.data = data;
    }

    public static ReadResult<WorkflowBehaviour> read(String text, Workflow workflow) {
        return switch (DataReader.read(text)) {
            case ReadResult.Refused<DataReader> refused -> new ReadResult.Refused<>(refused.problems());
            case ReadResult.Accepted<DataReader> accepted ->
                new BehaviourReader(accepted.value()).readBehaviours(workflow);
        };
    }

    private ReadResult<WorkflowBehaviour> readBehaviours(Workflow workflow) {
        Map<String, StepBehaviour> byName = new HashMap<>();
        if (!data.root().isObject()) {
            addProblem("", "expected an object with the ids of steps, found " + data.root());
        }
        Set<String> known = knownNames(workflow);
        for (var entry : data.root().properties()) {
            String name = entry.getKey();
            String path = "/" + name.replace("~", "~0").replace("/", "~1");
            if (known.contains(name)) {
                readBehaviour(path, entry.getValue()).ifPresent(behaviour -> byName.put(name, behaviour));
            } else {
                String found = "expected a step, a module or default, found '" + name + "'";
                problems.add(data.problemAtName(path, found + NearestName.hint(name, known)));
            }
        }
        return problems.isEmpty()
                ? new ReadResult.Accepted<>(new WorkflowBehaviour(byName))
                : new ReadResult.Refused<>(List.copyOf(problems));
    }

    private static Set<String> knownNames(Workflow workflow) {
        Set<String> names = new LinkedHashSet<>();
        for (Step step : workflow.steps()) {
            names.add(step.id());
            if (step.action() instanceof Action.Uses uses) {
                names.add(uses.module());
            }
        }
        names.add(WorkflowBehaviour.DEFAULT_NAME);
        return names;
    }

    private Optional<StepBehaviour> readBehaviour(String path, JsonNode value) {
        int before = problems.size();
        Time time = value.isObject() ? readTimeFields(path, value) : readTime(path, value);
        double fail = value.isObject() ? readFraction(path + "/fail", value.get("fail"), 0) : 0;
        if (value.isObject()) {
            checkFieldNames(path, value);
        }
        JsonNode output = value.isObject() ? value.get("output") : null;
        return problems.size() == before ? Optional.of(new StepBehaviour(time, fail, output)) : Optional.empty();
    }

    private void checkFieldNames(String path, JsonNode object) {
        for (String name : object.propertyNames()) {
            if (!FIELDS.contains(name)) {
                String found = "expected a known field, found '" + name + "'" + NearestName.hint(name, FIELDS);
                problems.add(data.problemAtName(path + "/" + name, found));
            }
        }
    }

    private Time readTimeFields(String path, JsonNode object) {
        if (object.has("min") || object.has("max")) {
            long min = object.has("min") ? readMicros(path + "/min", object.get("min")) : 0;
            int before = problems.size();
            long max = readMicros(path + "/max", object.get("max"));
            if (max < min && problems.size() == before) {
                addProblem(path + "/max", "expected at least min, found " + describe(object.get("max")));
            }
            return new Time.Between(min, Math.max(min, max));
        }
        if (object.has("mean")) {
            long mean = readMicros(path + "/mean", object.get("mean"));
            long spread = Math.round(mean * readFraction(path + "/jitter", object.get("jitter"), 0));
            return new Time.Between(mean - spread, mean + spread);
        }
        if (object.has("jitter")) {
            addProblem(path + "/jitter", "expected mean together with jitter, found none");
        }
        return object.has("duration")
                ? readTime(path + "/duration", object.get("duration"))
                : StepBehaviour.ONE_SECOND.time();
    }

    private Time readTime(String path, JsonNode value) {
        if (!value.isArray()) {
            return new Time.Fixed(readMicros(path, value));
        }
        List<Time> times = new ArrayList<>();
        for (int i = 0; i < value.size(); i++) {
            times.add(new Time.Fixed(readMicros(path + "/" + i, value.get(i))));
        }
        if (times.isEmpty()) {
            addProblem(path, "expected at least one duration, found none");
            return StepBehaviour.ONE_SECOND.time();
        }
        return new Time.OneOf(times);
    }

    private long readMicros(String path, @Nullable JsonNode value) {
        var duration = value != null && value.isString()
                ? DurationText.parse(value.stringValue()).filter(length -> !length.isNegative())
                : Optional.<java.time.Duration>empty();
        if (duration.isEmpty()) {
            addProblem(path, "expected " + EXPECTED + ", found " + describe(value));
            return 0;
        }
        return Moment.micros(duration.get());
    }

    /** Reads a number from 0 to 1. */
    private double readFraction(String path, @Nullable JsonNode value, double defaultValue) {
        if (value == null) {
            return defaultValue;
        }
        if (!value.isNumber() || !(value.doubleValue() >= 0 && value.doubleValue() <= 1)) {
            addProblem(path, "expected a number from 0 to 1, found " + describe(value));
            return defaultValue;
        }
        return value.doubleValue();
    }

    private static String describe(@Nullable JsonNode value) {
        return value == null ? "nothing" : value.isString() ? "'" + value.stringValue() + "'" : value.toString();
    }

    private void addProblem(String path, String message) {
        problems.add(data.problemAt(path, message));
    }
}
