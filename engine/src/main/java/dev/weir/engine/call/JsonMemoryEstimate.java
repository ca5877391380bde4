package dev.weir.engine.call;

import java.util.ArrayDeque;
import tools.jackson.databind.JsonNode;

/**
 * Estimates the memory that JSON takes while it is read, changed and reported. The estimates are upper bounds: two
 * copies of the tree exist at a time, and the text exists in several forms.
 */
final class JsonMemoryEstimate {
    /** The bytes for each character that begins or separates values, in all copies of the tree. */
    private static final int STRUCTURE_BYTES = 256;
    /** The bytes for each byte of text, in all its forms. */
    private static final int TEXT_BYTES = 8;

    private JsonMemoryEstimate() {}

    /**
     * Estimates the memory of the tree that results from the JSON. A comma within a text counts like one between
     * values.
     */
    static long of(byte[] json) {
        long structure = 1;
        for (byte character : json) {
            if (character == '{' || character == '[' || character == ',' || character == ':') {
                structure++;
            }
        }
        return structure * STRUCTURE_BYTES + ofText(json.length);
    }

    static long ofText(long bytes) {
        return bytes * TEXT_BYTES;
    }

    /** Estimates the memory of a copy of an existing tree. */
    static long of(JsonNode tree) {
        long estimate = 0;
        ArrayDeque<JsonNode> open = new ArrayDeque<>();
        open.add(tree);
        for (JsonNode next = open.poll(); next != null; next = open.poll()) {
            estimate += STRUCTURE_BYTES;
            if (next.isString()) {
                estimate += ofText(next.stringValue().length());
            }
            for (String name : next.propertyNames()) {
                estimate += STRUCTURE_BYTES + ofText(name.length());
            }
            next.forEach(open::add);
        }
        return estimate;
    }
}
