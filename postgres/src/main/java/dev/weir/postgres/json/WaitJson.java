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
    private static final int INITIAL_CHARS = 80;

    private static final Map<WaitEntry.Cause, String> NAMES = new EnumMap<>(WaitEntry.Cause.class);

    static {
        for (WaitEntry.Cause cause : WaitEntry.Cause.values()) {
            NAMES.put(cause, cause.name().toLowerCase(Locale.ROOT));
        }
    }

    private WaitJson() {}

    static ArrayNode json(List<WaitEntry> waited) {
        ArrayNode array = StoredJson.NODES.arrayNode();
        waited.forEach(entry -> array.add(json(entry)));
        return array;
    }

    static ArrayNode json(WaitEntry waited) {
        ArrayNode entry = StoredJson.NODES.arrayNode();
        entry.add(name(waited)).add(waited.micros());
        if (waited.limit() != null) {
            entry.add(waited.limit());
        }
        return entry;
    }

    private static String name(WaitEntry waited) {
        return Objects.requireNonNull(NAMES.get(waited.cause()));
    }

    static List<WaitEntry> read(@Nullable JsonNode json) {
        List<WaitEntry> waited = new ArrayList<>();
        if (json != null) {
            json.forEach(entry -> waited.add(readOne(entry)));
        }
        return waited;
    }

    static WaitEntry readOne(JsonNode json) {
        return new WaitEntry(
                WaitEntry.Cause.valueOf(json.get(0).stringValue().toUpperCase(Locale.ROOT)),
                json.has(2) ? json.get(2).stringValue() : null,
                json.get(1).longValue());
    }

    /**
     * Returns the time from which the current wait counts, followed by the waits so far. Most steps that have waited
     * are written this way.
     */
    static String text(StepRow.Waits spent) {
        var text = new StringBuilder(INITIAL_CHARS);
        text.append('[').append(spent.currentSince()).append(",[");
        String separator = "[";
        for (WaitEntry entry : spent.waited()) {
            StoredJson.quote(name(entry), text.append(separator));
            text.append(',').append(entry.micros());
            if (entry.limit() != null) {
                StoredJson.quote(entry.limit(), text.append(','));
            }
            text.append(']');
            separator = ",[";
        }
        return text.append("]]").toString();
    }

    static StepRow.@Nullable Waits spent(@Nullable JsonNode json) {
        return json == null ? null : new StepRow.Waits(json.get(0).longValue(), read(json.get(1)));
    }
}
