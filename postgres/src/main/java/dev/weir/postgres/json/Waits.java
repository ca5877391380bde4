package dev.weir.postgres.json;

import dev.weir.core.life.StepRow;
import dev.weir.core.life.Waited;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** What was waited for: each wait as a short list of what, how long, and which limit. */
final class Waits {
    private static final int SPENT_CHARS = 80;

    private static final Map<Waited.For, String> NAMES = new EnumMap<>(Waited.For.class);

    static {
        for (Waited.For what : Waited.For.values()) {
            NAMES.put(what, what.name().toLowerCase(Locale.ROOT));
        }
    }

    private Waits() {}

    static ArrayNode json(List<Waited> waited) {
        ArrayNode array = Json.NODES.arrayNode();
        waited.forEach(one -> array.add(json(one)));
        return array;
    }

    static ArrayNode json(Waited waited) {
        ArrayNode one = Json.NODES.arrayNode();
        one.add(name(waited)).add(waited.micros());
        if (waited.limit() != null) {
            one.add(waited.limit());
        }
        return one;
    }

    private static String name(Waited waited) {
        return Objects.requireNonNull(NAMES.get(waited.what()));
    }

    static List<Waited> read(@Nullable JsonNode json) {
        List<Waited> waited = new ArrayList<>();
        if (json != null) {
            json.forEach(one -> waited.add(readOne(one)));
        }
        return waited;
    }

    static Waited readOne(JsonNode json) {
        return new Waited(
                Waited.For.valueOf(json.get(0).stringValue().toUpperCase(Locale.ROOT)),
                json.has(2) ? json.get(2).stringValue() : null,
                json.get(1).longValue());
    }

    /** The waits so far, after the time from which the present one counts. */
    static ArrayNode json(StepRow.Spent spent) {
        return Json.NODES.arrayNode().add(spent.at()).add(json(spent.waited()));
    }

    /** The text of the same. */
    static String text(StepRow.Spent spent) {
        var text = new StringBuilder(SPENT_CHARS);
        text.append('[').append(spent.at()).append(",[");
        String before = "[";
        for (Waited one : spent.waited()) {
            Json.quote(name(one), text.append(before));
            text.append(',').append(one.micros());
            if (one.limit() != null) {
                Json.quote(one.limit(), text.append(','));
            }
            text.append(']');
            before = ",[";
        }
        return text.append("]]").toString();
    }

    static StepRow.@Nullable Spent spent(@Nullable JsonNode json) {
        return json == null ? null : new StepRow.Spent(json.get(0).longValue(), read(json.get(1)));
    }
}
