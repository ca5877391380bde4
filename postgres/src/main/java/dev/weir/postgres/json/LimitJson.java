package dev.weir.postgres.json;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitStart;
import dev.weir.core.limit.Rate;
import dev.weir.core.limit.Window;
import dev.weir.core.state.WaitEntry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** JSON of limits, rates and starts. */
public final class LimitJson {
    private LimitJson() {}

    /** Returns the limit of a text written by {@link LimitId.Shared#text}. */
    public static LimitId.Shared limit(String text) {
        return LimitId.Shared.of(text);
    }

    /** Returns the letter of a window. */
    public static String letter(Window window) {
        return switch (window) {
            case SLIDING -> "s";
            case FIXED -> "f";
        };
    }

    public static Window window(String letter) {
        return letter.equals("f") ? Window.FIXED : Window.SLIDING;
    }

    public static ArrayNode rate(Rate rate) {
        return StoredJson.NODES.arrayNode().add(rate.count()).add(rate.period()).add(letter(rate.window()));
    }

    static @Nullable Rate rate(@Nullable JsonNode json) {
        return json == null ? null : readRate(json);
    }

    static Rate readRate(JsonNode json) {
        return new Rate(
                json.get(0).intValue(),
                json.get(1).longValue(),
                window(json.get(2).stringValue()));
    }

    /** Returns the starts and waits of a claim in one list: a start is an object, and a wait is a list. */
    public static @Nullable String starts(List<LimitStart> starts, List<WaitEntry> waits) {
        if (starts.isEmpty() && waits.isEmpty()) {
            return null;
        }
        ArrayNode array = WaitJson.json(waits);
        for (LimitStart start : starts) {
            ObjectNode json = StoredJson.NODES
                    .objectNode()
                    .put("limit", start.limit().text())
                    .put("at", start.at())
                    .put("cost", start.cost());
            if (start.rate() != null) {
                json.set("rate", rate(start.rate()));
            }
            if (start.opensWindow()) {
                json.put("opens", true);
            }
            if (start.hasLongerPeriod()) {
                json.put("longest", start.longestPeriod());
            }
            array.add(json);
        }
        return StoredJson.text(array);
    }

    public static List<LimitStart> starts(@Nullable String text) {
        List<LimitStart> starts = new ArrayList<>();
        for (JsonNode json : entries(text)) {
            if (json.isObject()) {
                starts.add(start(json));
            }
        }
        return starts;
    }

    private static LimitStart start(JsonNode json) {
        LimitId.Shared limit = limit(json.get("limit").stringValue());
        long at = json.get("at").longValue();
        int cost = json.get("cost").intValue();
        Rate rate = rate(json.get("rate"));
        boolean opens = json.has("opens");
        return json.has("longest")
                ? new LimitStart(
                        limit, at, cost, rate, opens, json.get("longest").longValue())
                : new LimitStart(limit, at, cost, rate, opens);
    }

    /** Returns the waits of a claim's step from the list that {@link #starts(List, List)} has written. */
    public static List<WaitEntry> waits(@Nullable String text) {
        List<WaitEntry> waits = new ArrayList<>();
        for (JsonNode json : entries(text)) {
            if (json.isArray()) {
                waits.add(WaitJson.readOne(json));
            }
        }
        return waits;
    }

    private static JsonNode entries(@Nullable String text) {
        return text == null ? StoredJson.NODES.arrayNode() : StoredJson.read(text);
    }
}
