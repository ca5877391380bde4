package dev.weir.postgres.json;

import dev.weir.core.life.Waited;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Rate;
import dev.weir.core.limit.Start;
import dev.weir.core.limit.Window;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Limits, rates and starts. */
public final class Limits {
    private Limits() {}

    /** The limit of a text that {@link LimitId.Shared#text} has made. */
    public static LimitId.Shared limit(String text) {
        return LimitId.Shared.of(text);
    }

    /** One letter for a window. */
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
        return Json.NODES.arrayNode().add(rate.count()).add(rate.period()).add(letter(rate.window()));
    }

    static @Nullable Rate rate(@Nullable JsonNode json) {
        return json == null
                ? null
                : new Rate(
                        json.get(0).intValue(),
                        json.get(1).longValue(),
                        window(json.get(2).stringValue()));
    }

    /** What a claim has to remember: the starts that rates count, and what was waited for, which are lists. */
    public static @Nullable String starts(List<Start> starts, List<Waited> waited) {
        if (starts.isEmpty() && waited.isEmpty()) {
            return null;
        }
        ArrayNode array = Waits.json(waited);
        for (Start start : starts) {
            ObjectNode json = Json.NODES
                    .objectNode()
                    .put("limit", start.limit().text())
                    .put("at", start.at())
                    .put("cost", start.cost());
            if (start.rate() != null) {
                json.set("rate", rate(start.rate()));
            }
            if (start.opens()) {
                json.put("opens", true);
            }
            if (start.underLonger()) {
                json.put("longest", start.longest());
            }
            array.add(json);
        }
        return Json.text(array);
    }

    public static List<Start> starts(@Nullable String text) {
        List<Start> starts = new ArrayList<>();
        for (JsonNode json : entries(text)) {
            if (json.isObject()) {
                starts.add(start(json));
            }
        }
        return starts;
    }

    private static Start start(JsonNode json) {
        LimitId.Shared limit = limit(json.get("limit").stringValue());
        long at = json.get("at").longValue();
        int cost = json.get("cost").intValue();
        Rate rate = rate(json.get("rate"));
        boolean opens = json.has("opens");
        return json.has("longest")
                ? new Start(limit, at, cost, rate, opens, json.get("longest").longValue())
                : new Start(limit, at, cost, rate, opens);
    }

    /** What the step of a claim waited for, of what the claim has to remember. */
    public static List<Waited> waited(@Nullable String text) {
        List<Waited> waited = new ArrayList<>();
        for (JsonNode json : entries(text)) {
            if (json.isArray()) {
                waited.add(Waits.readOne(json));
            }
        }
        return waited;
    }

    private static JsonNode entries(@Nullable String text) {
        return text == null ? Json.NODES.arrayNode() : Json.read(text);
    }
}
