package dev.weir.postgres.json;

import dev.weir.core.state.StepRow;
import dev.weir.core.state.WaitEntry;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** JSON of waiting times. Each wait is a short list: the cause, the time, and the limit. */
final class WaitJson {
    private static final int SPENT_CHARS = 80;

    private static final Map<WaitEntry.For, String> NAMES = new EnumMap<>(WaitEntry.For.class);

    static {
        for (WaitEntry.For what : WaitEntry.For.values()) {
            NAMES.put(what, what.name().toLowerCase(Locale.ROOT));
        }
    }

    private WaitJson() {}

    static ArrayNode json(List<WaitEntry> waited) {
        ArrayNode array = StoredJson.NODES.arrayNode();
        waited.forEach(one -> array.add(json(one)));
        return array;
    }

    static ArrayNode json(WaitEntry waited) {
        ArrayNode one = StoredJson.NODES.arrayNode();
        one.add(name(waited)).add(waited.micros());
        if (waited.limit() != null) {
            one.add(waited.limit());
        }
        return one;
    }

    private static String name(WaitEntry waited) {
        return Objects.requireNonNull(NAMES.get(waited.what()));
    }

    static List<WaitEntry> read(@Nullable JsonNode json) {
        List<WaitEntry> waited = new ArrayList<>();
        if (json != null) {
            json.forEach(one -> waited.add(readOne(one)));
        }
        return waited;
    }

    static WaitEntry readOne(JsonNode json) {
        return new WaitEntry(
                WaitEntry.For.valueOf(json.get(0).stringValue().toUpperCase(Locale.ROOT)),
                json.has(2) ? json.get(2).stringValue() : null,
                json.get(1).longValue());
    }

    /**
     * Returns the time from which the current wait counts, followed by the waits so far. Most steps that have waited
     * are written this way.
     */
    static String text(StepRow.Spent spent) {
        var text = new StringBuilder(SPENT_CHARS);
        text.append('[').append(spent.at()).append(",[");
        String before = "[";
        for (WaitEntry one : spent.waited()) {
            StoredJson.quote(name(one), text.append(before));
            text.append(',').append(one.micros());
            if (one.limit() != null) {
                StoredJson.quote(one.limit(), text.append(','));
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
