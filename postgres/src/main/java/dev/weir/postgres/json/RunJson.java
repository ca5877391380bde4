package dev.weir.postgres.json;

import dev.weir.core.admission.RunGate;
import dev.weir.core.definition.CancelPolicy;
import dev.weir.core.life.Ask;
import dev.weir.core.life.Ending;
import dev.weir.core.life.Plan;
import dev.weir.core.life.RunRow;
import dev.weir.core.life.RunState;
import dev.weir.core.limit.Moment;
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

    /** Nothing where it is the usual one. */
    public static @Nullable String ask(RunRow row) {
        Ask usual = row.request().plan().usualRunAsk(row.request().priority());
        return row.ask().equals(usual) ? null : Asks.text(row.ask());
    }

    public static Ask readAsk(@Nullable String text, Plan plan, int priority) {
        Ask ask = Asks.read(text);
        return ask == null ? plan.usualRunAsk(priority) : ask;
    }

    /** What few runs have, together in one column. */
    public static @Nullable String detail(RunRow.Detail detail) {
        return detail.equals(RunRow.Detail.DEFAULT) ? null : Json.text(detailJson(detail));
    }

    private static ObjectNode detailJson(RunRow.Detail detail) {
        ObjectNode json = Json.NODES.objectNode();
        if (detail.notBefore() != RunRow.NOT_STARTED) {
            json.put("not_before", detail.notBefore());
        }
        if (detail.deadlineAt() != Moment.NEVER) {
            json.put("deadline_at", detail.deadlineAt());
        }
        if (detail.warned()) {
            json.put("warned", true);
        }
        if (detail.borrows()) {
            json.put("borrows", true);
        }
        if (detail.input() != null) {
            json.set("input", detail.input());
        }
        if (!detail.waited().isEmpty()) {
            json.set("waited", Waits.json(detail.waited()));
        }
        return json;
    }

    public static RunRow.Detail readDetail(@Nullable String text) {
        if (text == null) {
            return RunRow.Detail.DEFAULT;
        }
        JsonNode json = Json.read(text);
        return new RunRow.Detail(
                json.path("not_before").asLong(RunRow.NOT_STARTED),
                json.path("deadline_at").asLong(Moment.NEVER),
                json.has("warned"),
                json.has("borrows"),
                json.get("input"),
                Waits.read(json.get("waited")));
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
