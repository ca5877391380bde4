package dev.weir.core.reading;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Describes the value that was found, in words that fit on one line. */
final class FoundText {
    private static final int CHARS_MAX = 60;

    private FoundText() {}

    static String describe(@Nullable JsonNode value) {
        if (value == null) {
            return "nothing";
        }
        return switch (value.getNodeType()) {
            case OBJECT -> "an object";
            case ARRAY -> "a list of " + value.size();
            case STRING -> "'" + shortened(value.stringValue()) + "'";
            case NULL, MISSING, BINARY, POJO -> "nothing";
            case NUMBER, BOOLEAN -> shortened(value.toString());
        };
    }

    private static String shortened(String text) {
        return text.length() <= CHARS_MAX ? text : text.substring(0, CHARS_MAX) + "…";
    }
}
