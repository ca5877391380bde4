package dev.weir.server.http;

import dev.weir.core.json.Keepable;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One entry of a batch, read on its own: one that does not do takes no other with it.
 *
 * @param at its place in the body, as a JSON pointer
 * @param sent as it came
 * @param value what it says; absent if it was refused
 * @param refused why it does not do; absent if it does
 */
public record Entry<T>(
        String at,
        JsonNode sent,
        @Nullable T value,
        @Nullable Refused refused) {
    private static final int NAMED_CHARS_MAX = 256;

    /** What it says. */
    public T get() {
        if (value == null) {
            throw refused == null ? new IllegalStateException("expected an entry at " + at + ", found none") : refused;
        }
        return value;
    }

    /** A text of it that names what it is about, as far as it can be said again. */
    public @Nullable String named(String field) {
        return Optional.ofNullable(sent.get(field))
                .filter(JsonNode::isString)
                .map(JsonNode::stringValue)
                .filter(text -> text.length() <= NAMED_CHARS_MAX && Keepable.misfit(text) == null)
                .orElse(null);
    }

    public @Nullable Integer item() {
        JsonNode item = sent.get("item");
        return item != null && item.isInt() ? (Integer) item.intValue() : null;
    }

    public @Nullable Long fence() {
        JsonNode fence = sent.get("fence");
        return fence != null && fence.isIntegralNumber() && fence.canConvertToLong() ? (Long) fence.longValue() : null;
    }
}
