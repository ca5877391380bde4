package dev.weir.client;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Converts the inputs and outputs of handlers. Names in JSON are those of the Java types. Unknown fields of an input are
 * ignored, so that a workflow can pass more than a handler needs.
 */
final class PayloadJson {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    private PayloadJson() {}

    /** Reads a value. A value that does not fit is a permanent failure, because the next attempt would get it too. */
    static <T> T read(String what, @Nullable JsonNode value, Class<T> type) {
        if (value != null && type.isInstance(value)) {
            return type.cast(value);
        }
        T read;
        try {
            read = value == null ? null : MAPPER.treeToValue(value, type);
        } catch (JacksonException e) {
            throw new Handler.Permanent(
                    "expected " + what + " that fits " + type.getSimpleName() + ", found another: "
                            + e.getOriginalMessage() + at(e),
                    e);
        }
        if (read == null) {
            throw new Handler.Permanent("expected " + what + " that fits " + type.getSimpleName() + ", found none");
        }
        return read;
    }

    private static String at(JacksonException e) {
        String path = e.getPathReference();
        return path == null || path.isEmpty() ? "" : " (" + path + ")";
    }

    /** Converts a value to JSON; null stays absent. */
    static @Nullable JsonNode toTree(@Nullable Object value) {
        return value == null ? null : value instanceof JsonNode node ? node : MAPPER.valueToTree(value);
    }

    /** Writes a value as JSON text. */
    static String write(@Nullable Object value) {
        return MAPPER.writeValueAsString(value);
    }
}
