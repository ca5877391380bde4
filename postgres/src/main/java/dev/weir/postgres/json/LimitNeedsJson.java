package dev.weir.postgres.json;

import dev.weir.core.limit.LimitNeed;
import dev.weir.core.plan.LimitNeeds;
import dev.weir.core.plan.Plan;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** JSON of the needs of a run or step. Default values are left out. */
public final class LimitNeedsJson {
    private LimitNeedsJson() {}

    public static ObjectNode json(LimitNeeds limitNeeds) {
        ObjectNode json = StoredJson.NODES.objectNode().put("module", limitNeeds.module());
        if (!limitNeeds.needs().isEmpty()) {
            ArrayNode needs = json.putArray("needs");
            limitNeeds.needs().forEach(need -> needs.add(need(need)));
        }
        if (limitNeeds.slots() != 1) {
            json.put("slots", limitNeeds.slots());
        }
        if (limitNeeds.exclusive()) {
            json.put("exclusive", true);
        }
        if (limitNeeds.priority() != 0) {
            json.put("priority", limitNeeds.priority());
        }
        return json;
    }

    public static @Nullable String text(@Nullable LimitNeeds limitNeeds) {
        return limitNeeds == null ? null : StoredJson.text(json(limitNeeds));
    }

    /** Returns the needs of a step; only its keys if the definition determines everything else. */
    public static @Nullable String text(@Nullable LimitNeeds limitNeeds, Plan plan, int step) {
        List<String> keys = limitNeeds == null ? null : plan.keysOf(step, limitNeeds);
        if (keys == null) {
            return text(limitNeeds);
        }
        var text = new StringBuilder("[");
        for (String key : keys) {
            StoredJson.quote(key, text.append(text.length() > 1 ? "," : ""));
        }
        return text.append(']').toString();
    }

    /** Reads the text written by {@link #text(LimitNeeds, Plan, int)}. */
    public static @Nullable LimitNeeds read(@Nullable String text, Plan plan, int step) {
        if (text == null || !text.startsWith("[")) {
            return read(text);
        }
        List<String> keys = new ArrayList<>();
        StoredJson.read(text).forEach(key -> keys.add(key.stringValue()));
        return plan.limitNeedsFor(step, keys);
    }

    public static @Nullable LimitNeeds read(@Nullable String text) {
        return text == null ? null : fromJson(StoredJson.read(text));
    }

    static LimitNeeds fromJson(JsonNode json) {
        List<LimitNeed> needs = new ArrayList<>();
        json.path("needs").forEach(need -> needs.add(need(need)));
        return new LimitNeeds(
                json.get("module").stringValue(),
                needs,
                json.path("slots").asInt(1),
                json.has("exclusive"),
                json.path("priority").asInt(0));
    }

    private static ObjectNode need(LimitNeed need) {
        ObjectNode json =
                StoredJson.NODES.objectNode().put("limit", need.limit().text());
        if (need.parallelism() != LimitNeed.UNLIMITED) {
            json.put("parallelism", need.parallelism());
        }
        if (need.weight() != 1) {
            json.put("weight", need.weight());
        }
        if (need.rate() != null) {
            json.set("rate", LimitJson.rate(need.rate()));
        }
        if (need.cost() != 1) {
            json.put("cost", need.cost());
        }
        return json;
    }

    private static LimitNeed need(JsonNode json) {
        return new LimitNeed(
                LimitJson.limit(json.get("limit").stringValue()),
                json.path("parallelism").asInt(LimitNeed.UNLIMITED),
                json.path("weight").asInt(1),
                LimitJson.rate(json.get("rate")),
                json.path("cost").asInt(1));
    }
}
