package dev.weir.core.json;

import java.util.ArrayDeque;
import tools.jackson.databind.JsonNode;

/** Computes the length of a value as JSON without writing it. A character that would be escaped counts as one. */
public final class JsonLength {
    private static final int QUOTES = 2;
    private static final int QUOTES_AND_COLON = 3;

    private JsonLength() {}

    public static int of(JsonNode value) {
        if (!value.isContainer()) {
            return ofScalar(value);
        }
        long length = 0;
        ArrayDeque<JsonNode> pending = new ArrayDeque<>();
        pending.add(value);
        for (JsonNode next = pending.poll(); next != null; next = pending.poll()) {
            // Brackets, and a comma after each element but the last.
            length += Math.max(2, next.size() + 1);
            if (next.isObject()) {
                for (String name : next.propertyNames()) {
                    length += name.length() + QUOTES_AND_COLON;
                }
            }
            for (JsonNode child : next) {
                if (child.isContainer()) {
                    pending.add(child);
                } else {
                    length += ofScalar(child);
                }
            }
        }
        return (int) Math.min(Integer.MAX_VALUE, length);
    }

    private static int ofScalar(JsonNode value) {
        return value.isString()
                ? value.stringValue().length() + QUOTES
                : value.asString().length();
    }
}
