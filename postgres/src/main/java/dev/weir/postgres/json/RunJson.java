package dev.weir.postgres.json;

import dev.weir.core.definition.CancelPolicy;
import dev.weir.core.limit.Moment;
import dev.weir.core.plan.LimitNeeds;
import dev.weir.core.plan.Plan;
import dev.weir.core.state.RunEnding;
import dev.weir.core.state.RunRow;
import dev.weir.core.state.RunState;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** JSON columns of runs. */
public final class RunJson {
    private RunJson() {}

    /** Returns the needs of a run; null if they are the usual ones. */
    public static @Nullable String needs(RunRow row) {
        LimitNeeds defaultNeeds =
                row.request().plan().defaultRunNeeds(row.request().priority());
        return row.limitNeeds().equals(defaultNeeds) ? null : LimitNeedsJson.text(row.limitNeeds());
    }

    public static LimitNeeds readNeeds(@Nullable String text, Plan plan, int priority) {
        LimitNeeds needs = LimitNeedsJson.read(text);
        return needs == null ? plan.defaultRunNeeds(priority) : needs;
    }

    /** Returns the fields that few runs have, combined in one column. */
    public static @Nullable String detail(RunRow.Detail detail) {
        // The time of the next check of a held run has a column of its own.
        boolean isDefault = detail.withHoldUntil(RunRow.NOT_STARTED).equals(RunRow.Detail.DEFAULT);
        return isDefault ? null : StoredJson.text(detailJson(detail));
    }

    private static ObjectNode detailJson(RunRow.Detail detail) {
        ObjectNode json = StoredJson.NODES.objectNode();
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
            json.set("waited", WaitJson.json(detail.waited()));
        }
        return json;
    }

    public static RunRow.Detail readDetail(@Nullable String text) {
        if (text == null) {
            return RunRow.Detail.DEFAULT;
        }
        JsonNode json = StoredJson.read(text);
        return new RunRow.Detail(
                json.path("not_before").asLong(RunRow.NOT_STARTED),
                json.path("deadline_at").asLong(Moment.NEVER),
                json.has("warned"),
                json.has("borrows"),
                json.get("input"),
                WaitJson.read(json.get("waited")));
    }

    public static @Nullable String ending(@Nullable RunEnding ending) {
        return ending == null
                ? null
                : StoredJson.text(StoredJson.NODES
                        .objectNode()
                        .put("as", lower(ending.finalState()))
                        .put("policy", lower(ending.policy()))
                        .put("reason", ending.reason())
                        .put("at", ending.at()));
    }

    public static @Nullable RunEnding readEnding(@Nullable String text) {
        if (text == null) {
            return null;
        }
        JsonNode json = StoredJson.read(text);
        return new RunEnding(
                RunState.valueOf(upper(json.get("as"))),
                CancelPolicy.valueOf(upper(json.get("policy"))),
                json.get("reason").stringValue(),
                json.get("at").longValue());
    }

    public static @Nullable String labels(Map<String, String> labels) {
        if (labels.isEmpty()) {
            return null;
        }
        ObjectNode json = StoredJson.NODES.objectNode();
        labels.forEach(json::put);
        return StoredJson.text(json);
    }

    public static SortedMap<String, String> readLabels(@Nullable String text) {
        var labels = new TreeMap<String, String>();
        if (text != null) {
            StoredJson.read(text)
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
