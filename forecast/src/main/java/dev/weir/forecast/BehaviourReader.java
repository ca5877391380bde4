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
    private final List<ReadProblem> refusals = new ArrayList<>();

    private BehaviourReader(DataReader data) {
        this.data = data;
    }

    public static ReadResult<WorkflowBehaviour> read(String text, Workflow workflow) {
        return switch (DataReader.read(text)) {
            case ReadResult.Refused<DataReader> refused -> new ReadResult.Refused<>(refused.refusals());
            case ReadResult.Accepted<DataReader> accepted -> new BehaviourReader(accepted.value()).behaviours(workflow);
        };
    }

    private ReadResult<WorkflowBehaviour> behaviours(Workflow workflow) {
        Map<String, StepBehaviour> named = new HashMap<>();
        if (!data.root().isObject()) {
            refuse("", "expected an object with the ids of steps, found " + data.root());
        }
        Set<String> known = names(workflow);
        for (var entry : data.root().properties()) {
            String name = entry.getKey();
            String path = "/" + name.replace("~", "~0").replace("/", "~1");
            if (known.contains(name)) {
                behaviour(path, entry.getValue()).ifPresent(behaviour -> named.put(name, behaviour));
            } else {
                String found = "expected a step, a module or default, found '" + name + "'";
                refusals.add(data.refuseName(path, found + NearestName.hint(name, known)));
            }
        }
        return refusals.isEmpty()
                ? new ReadResult.Accepted<>(new WorkflowBehaviour(named))
                : new ReadResult.Refused<>(List.copyOf(refusals));
    }

    private static Set<String> names(Workflow workflow) {
        Set<String> names = new LinkedHashSet<>();
        for (Step step : workflow.steps()) {
            names.add(step.id());
            if (step.action() instanceof Action.Uses uses) {
                names.add(uses.module());
            }
        }
        names.add(WorkflowBehaviour.DEFAULT);
        return names;
    }

    private Optional<StepBehaviour> behaviour(String path, JsonNode value) {
        int before = refusals.size();
        Time time = value.isObject() ? timeOf(path, value) : time(path, value);
        double fail = value.isObject() ? part(path + "/fail", value.get("fail"), 0) : 0;
        if (value.isObject()) {
            refuseUnknown(path, value);
        }
        JsonNode output = value.isObject() ? value.get("output") : null;
        return refusals.size() == before ? Optional.of(new StepBehaviour(time, fail, output)) : Optional.empty();
    }

    private void refuseUnknown(String path, JsonNode object) {
        for (String name : object.propertyNames()) {
            if (!FIELDS.contains(name)) {
                String found = "expected a known field, found '" + name + "'" + NearestName.hint(name, FIELDS);
                refusals.add(data.refuseName(path + "/" + name, found));
            }
        }
    }

    private Time timeOf(String path, JsonNode object) {
        if (object.has("min") || object.has("max")) {
            long min = object.has("min") ? micros(path + "/min", object.get("min")) : 0;
            int before = refusals.size();
            long max = micros(path + "/max", object.get("max"));
            if (max < min && refusals.size() == before) {
                refuse(path + "/max", "expected at least min, found " + words(object.get("max")));
            }
            return new Time.Between(min, Math.max(min, max));
        }
        if (object.has("mean")) {
            long mean = micros(path + "/mean", object.get("mean"));
            long spread = Math.round(mean * part(path + "/jitter", object.get("jitter"), 0));
            return new Time.Between(mean - spread, mean + spread);
        }
        if (object.has("jitter")) {
            refuse(path + "/jitter", "expected mean together with jitter, found none");
        }
        return object.has("duration")
                ? time(path + "/duration", object.get("duration"))
                : StepBehaviour.ONE_SECOND.time();
    }

    private Time time(String path, JsonNode value) {
        if (!value.isArray()) {
            return new Time.Fixed(micros(path, value));
        }
        List<Time> times = new ArrayList<>();
        for (int i = 0; i < value.size(); i++) {
            times.add(new Time.Fixed(micros(path + "/" + i, value.get(i))));
        }
        if (times.isEmpty()) {
            refuse(path, "expected at least one duration, found none");
            return StepBehaviour.ONE_SECOND.time();
        }
        return new Time.OneOf(times);
    }

    private long micros(String path, @Nullable JsonNode value) {
        var duration = value != null && value.isString()
                ? DurationText.parse(value.stringValue()).filter(length -> !length.isNegative())
                : Optional.<java.time.Duration>empty();
        if (duration.isEmpty()) {
            refuse(path, "expected " + EXPECTED + ", found " + words(value));
            return 0;
        }
        return Moment.micros(duration.get());
    }

    /** Reads a number from 0 to 1. */
    private double part(String path, @Nullable JsonNode value, double usual) {
        if (value == null) {
            return usual;
        }
        if (!value.isNumber() || !(value.doubleValue() >= 0 && value.doubleValue() <= 1)) {
            refuse(path, "expected a number from 0 to 1, found " + words(value));
            return usual;
        }
        return value.doubleValue();
    }

    private static String words(@Nullable JsonNode value) {
        return value == null ? "nothing" : value.isString() ? "'" + value.stringValue() + "'" : value.toString();
    }

    private void refuse(String path, String message) {
        refusals.add(data.refuse(path, message));
    }
}
