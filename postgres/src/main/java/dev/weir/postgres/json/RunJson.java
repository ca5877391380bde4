package dev.weir.postgres.json;

import dev.weir.core.admission.RunGate;
import dev.weir.core.definition.CancelPolicy;
import dev.weir.core.definition.FlowControl;
import dev.weir.core.life.Ask;
import dev.weir.core.life.BuiltIn;
import dev.weir.core.life.Ending;
import dev.weir.core.life.RunRow;
import dev.weir.core.life.RunState;
import dev.weir.core.life.StartRun;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Need;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What the rows of runs hold as JSON. */
public final class RunJson {
    private RunJson() {}

    /**
     * What few runs have, together in one column.
     *
     * @param ask absent = the usual one
     */
    public record Detail(@Nullable Ask ask, @Nullable List<FlowControl> flowControl) {
        public static final Detail NONE = new Detail(null, null);

        public Ask ask(String workflow, int priority) {
            return ask == null ? usual(workflow, priority) : ask;
        }
    }

    /** What a run asks of the limits of runs where its workflow sets none. */
    private static Ask usual(String workflow, int priority) {
        return new Ask(
                BuiltIn.RUNS,
                List.of(free(new LimitId.OrgRuns()), free(new LimitId.WorkflowRuns(workflow))),
                1,
                false,
                priority);
    }

    private static Need free(LimitId.Shared limit) {
        return new Need(limit, Need.UNLIMITED, 1, null, 1);
    }

    public static @Nullable String detail(RunRow row) {
        ObjectNode json = Json.NODES.objectNode();
        StartRun request = row.request();
        if (!row.ask().equals(usual(request.plan().workflow().name(), request.priority()))) {
            json.set("ask", Asks.json(row.ask()));
        }
        if (request.flowControl() != null) {
            json.set("flow_control", FlowControls.json(request.flowControl()));
        }
        return json.isEmpty() ? null : Json.text(json);
    }

    public static Detail readDetail(@Nullable String text) {
        if (text == null) {
            return Detail.NONE;
        }
        JsonNode json = Json.read(text);
        return new Detail(
                json.has("ask") ? Asks.ask(json.get("ask")) : null, FlowControls.read(json.get("flow_control")));
    }

    public static @Nullable String ending(@Nullable Ending ending) {
        return ending == null
                ? null
                : Json.text(Json.NODES
                        .objectNode()
                        .put("as", lower(ending.as()))
                        .put("policy", lower(ending.policy()))
                        .put("reason", ending.reason())
                        .put("at", ending.at()));
    }

    public static @Nullable Ending readEnding(@Nullable String text) {
        if (text == null) {
            return null;
        }
        JsonNode json = Json.read(text);
        return new Ending(
                RunState.valueOf(upper(json.get("as"))),
                CancelPolicy.valueOf(upper(json.get("policy"))),
                json.get("reason").stringValue(),
                json.get("at").longValue());
    }

    public static @Nullable String overrides(RunGate.@Nullable Overrides overrides) {
        if (overrides == null) {
            return null;
        }
        ObjectNode json = Json.NODES.objectNode();
        if (overrides.maxSteps() != null) {
            json.put("max_steps", overrides.maxSteps());
        }
        if (overrides.maxSlots() != null) {
            json.put("max_slots", overrides.maxSlots());
        }
        return Json.text(json);
    }

    public static RunGate.@Nullable Overrides readOverrides(@Nullable String text) {
        if (text == null) {
            return null;
        }
        JsonNode json = Json.read(text);
        return new RunGate.Overrides(
                json.has("max_steps") ? json.get("max_steps").intValue() : null,
                json.has("max_slots") ? json.get("max_slots").intValue() : null);
    }

    public static @Nullable String labels(Map<String, String> labels) {
        if (labels.isEmpty()) {
            return null;
        }
        ObjectNode json = Json.NODES.objectNode();
        labels.forEach(json::put);
        return Json.text(json);
    }

    public static SortedMap<String, String> readLabels(@Nullable String text) {
        var labels = new TreeMap<String, String>();
        if (text != null) {
            Json.read(text)
                    .properties()
                    .forEach(
                            label -> labels.put(label.getKey(), label.getValue().stringValue()));
        }
        return labels;
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static String upper(JsonNode text) {
        return text.stringValue().toUpperCase(Locale.ROOT);
    }
}
