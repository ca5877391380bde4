package dev.weir.postgres.json;

import dev.weir.core.definition.CancelPolicy;
import dev.weir.core.state.DeadLetter;
import dev.weir.core.state.RunState;
import dev.weir.engine.records.BulkOperation;
import dev.weir.engine.records.BulkOperation.Action;
import dev.weir.engine.records.BulkOperation.Failure;
import dev.weir.engine.records.BulkOperation.Task;
import dev.weir.engine.records.DeadLetterFilter;
import dev.weir.engine.records.RunFilter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** JSON of operations on many runs. */
public final class BulkJson {
    private BulkJson() {}

    /** Returns the filter of a task, with its ids. */
    public static String filter(Task task) {
        ObjectNode json = StoredJson.NODES.objectNode();
        switch (task.filter()) {
            case RunFilter filter -> put(json, filter);
            case DeadLetterFilter filter -> put(json, filter);
        }
        ArrayNode ids = json.putArray("ids");
        task.ids().forEach(ids::add);
        return StoredJson.text(json);
    }

    private static void put(ObjectNode json, RunFilter filter) {
        ArrayNode states = json.putArray("states");
        new TreeSet<>(filter.states()).forEach(state -> states.add(StateCodes.letter(state)));
        json.put("workflow", filter.workflow());
        json.put("key", filter.key());
        ObjectNode labels = json.putObject("labels");
        new TreeMap<>(filter.labels()).forEach(labels::put);
    }

    private static void put(ObjectNode json, DeadLetterFilter filter) {
        json.put("state", name(filter.state()));
        json.put("kind", name(filter.kind()));
        json.put("reason", name(filter.reason()));
        json.put("workflow", filter.workflow());
        json.put("key", filter.key());
    }

    private static @Nullable String name(@Nullable Enum<?> constant) {
        return constant == null ? null : constant.name();
    }

    /** Returns how a task is carried out. */
    public static String options(Task task) {
        ObjectNode json = StoredJson.NODES.objectNode();
        json.put("policy", task.policy() == null ? null : task.policy().name());
        json.put("actor", task.note().actor());
        json.put("reason", task.note().reason());
        return StoredJson.text(json);
    }

    public static Task task(Action action, String filter, String options) {
        JsonNode json = StoredJson.read(filter);
        List<String> ids = new ArrayList<>();
        json.get("ids").forEach(id -> ids.add(id.stringValue()));
        JsonNode how = StoredJson.read(options);
        String policy = text(how, "policy");
        return new Task(
                action,
                action.isOfDeadLetters() ? deadLetterFilter(json) : runFilter(json),
                ids,
                policy == null ? null : CancelPolicy.valueOf(policy),
                new BulkOperation.Note(String.valueOf(text(how, "actor")), text(how, "reason")));
    }

    private static RunFilter runFilter(JsonNode json) {
        Set<RunState> states = EnumSet.noneOf(RunState.class);
        json.get("states").forEach(letter -> states.add(StateCodes.run(letter.stringValue())));
        Map<String, String> labels = new TreeMap<>();
        json.get("labels")
                .properties()
                .forEach(label -> labels.put(label.getKey(), label.getValue().stringValue()));
        return new RunFilter(states, text(json, "workflow"), labels, text(json, "key"));
    }

    private static DeadLetterFilter deadLetterFilter(JsonNode json) {
        String state = text(json, "state");
        String kind = text(json, "kind");
        String reason = text(json, "reason");
        return new DeadLetterFilter(
                state == null ? null : DeadLetter.State.valueOf(state),
                kind == null ? null : DeadLetter.Kind.valueOf(kind),
                reason == null ? null : DeadLetter.Reason.valueOf(reason),
                text(json, "workflow"),
                text(json, "key"));
    }

    private static @Nullable String text(JsonNode json, String field) {
        JsonNode value = json.get(field);
        return value == null || value.isNull() ? null : value.stringValue();
    }

    public static String failures(List<Failure> failures) {
        ArrayNode json = StoredJson.NODES.arrayNode();
        failures.forEach(failure -> json.addObject().put("run", failure.id()).put("error", failure.error()));
        return StoredJson.text(json);
    }

    public static List<Failure> readFailures(String text) {
        List<Failure> failures = new ArrayList<>();
        StoredJson.read(text)
                .forEach(each -> failures.add(new Failure(
                        each.get("run").stringValue(), each.get("error").stringValue())));
        return failures;
    }
}
