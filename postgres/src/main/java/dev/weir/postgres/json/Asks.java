package dev.weir.postgres.json;

import dev.weir.core.life.Ask;
import dev.weir.core.life.Plan;
import dev.weir.core.limit.Need;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What is asked of limits; what goes without saying is left out. */
public final class Asks {
    private Asks() {}

    public static ObjectNode json(Ask ask) {
        ObjectNode json = Json.NODES.objectNode().put("module", ask.module());
        if (!ask.needs().isEmpty()) {
            ArrayNode needs = json.putArray("needs");
            ask.needs().forEach(need -> needs.add(need(need)));
        }
        if (ask.slots() != 1) {
            json.put("slots", ask.slots());
        }
        if (ask.exclusive()) {
            json.put("exclusive", true);
        }
        if (ask.priority() != 0) {
            json.put("priority", ask.priority());
        }
        return json;
    }

    public static @Nullable String text(@Nullable Ask ask) {
        return ask == null ? null : Json.text(json(ask));
    }

    /** What a step asks for: its keys where the definition says all else. */
    public static @Nullable String text(@Nullable Ask ask, Plan plan, int step) {
        List<String> keys = ask == null ? null : plan.keysOf(step, ask);
        if (keys == null) {
            return text(ask);
        }
        var text = new StringBuilder("[");
        for (String key : keys) {
            Json.quote(key, text.append(text.length() > 1 ? "," : ""));
        }
        return text.append(']').toString();
    }

    /** What {@link #text(Ask, Plan, int)} has written. */
    public static @Nullable Ask read(@Nullable String text, Plan plan, int step) {
        if (text == null || !text.startsWith("[")) {
            return read(text);
        }
        List<String> keys = new ArrayList<>();
        Json.read(text).forEach(key -> keys.add(key.stringValue()));
        return plan.askFor(step, keys);
    }

    public static @Nullable Ask read(@Nullable String text) {
        return text == null ? null : ask(Json.read(text));
    }

    static Ask ask(JsonNode json) {
        List<Need> needs = new ArrayList<>();
        json.path("needs").forEach(need -> needs.add(need(need)));
        return new Ask(
                json.get("module").stringValue(),
                needs,
                json.path("slots").asInt(1),
                json.has("exclusive"),
                json.path("priority").asInt(0));
    }

    private static ObjectNode need(Need need) {
        ObjectNode json = Json.NODES.objectNode().put("limit", need.limit().text());
        if (need.parallelism() != Need.UNLIMITED) {
            json.put("parallelism", need.parallelism());
        }
        if (need.weight() != 1) {
            json.put("weight", need.weight());
        }
        if (need.rate() != null) {
            json.set("rate", Limits.rate(need.rate()));
        }
        if (need.cost() != 1) {
            json.put("cost", need.cost());
        }
        return json;
    }

    private static Need need(JsonNode json) {
        return new Need(
                Limits.limit(json.get("limit").stringValue()),
                json.path("parallelism").asInt(Need.UNLIMITED),
                json.path("weight").asInt(1),
                Limits.rate(json.get("rate")),
                json.path("cost").asInt(1));
    }
}
