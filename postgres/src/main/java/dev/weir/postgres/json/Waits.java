package dev.weir.postgres.json;

import dev.weir.core.life.StepRow;
import dev.weir.core.life.Waited;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** What was waited for: each wait as a short list of what, how long, and which limit. */
final class Waits {
    private Waits() {}

    static ArrayNode json(List<Waited> waited) {
        ArrayNode array = Json.NODES.arrayNode();
        waited.forEach(one -> array.add(json(one)));
        return array;
    }

    static ArrayNode json(Waited waited) {
        ArrayNode one = Json.NODES.arrayNode();
        one.add(waited.what().name().toLowerCase(Locale.ROOT)).add(waited.micros());
        if (waited.limit() != null) {
            one.add(waited.limit());
        }
        return one;
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

    static StepRow.@Nullable Spent spent(@Nullable JsonNode json) {
        return json == null ? null : new StepRow.Spent(json.get(0).longValue(), read(json.get(1)));
    }
}
