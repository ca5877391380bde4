package dev.weir.server.http;

import dev.weir.core.json.StorableJson;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One entry of a batch. Each entry is read on its own, so that an invalid one does not affect the others.
 *
 * @param at its position in the body, as a JSON pointer
 * @param sent the entry as it was sent
 * @param value the value that was read; absent if the entry was refused
 * @param refusal the reason for the refusal; absent if the entry is valid
 */
public record BatchEntry<T>(
        String at,
        JsonNode sent,
        @Nullable T value,
        @Nullable RefusedRequest refusal) {
    private static final int TEXT_CHARS_MAX = 256;

    /** Returns the value, or throws the refusal. */
    public T get() {
        if (value == null) {
            throw refusal == null ? new IllegalStateException("expected an entry at " + at + ", found none") : refusal;
        }
        return value;
    }

    /** Returns a text field that identifies the subject of the entry, if it can be repeated in a response. */
    public @Nullable String textField(String field) {
        return Optional.ofNullable(sent.get(field))
                .filter(JsonNode::isString)
                .map(JsonNode::stringValue)
                .filter(text -> text.length() <= TEXT_CHARS_MAX && StorableJson.findProblem(text) == null)
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
