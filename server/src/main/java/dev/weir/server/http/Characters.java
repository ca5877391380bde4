package dev.weir.server.http;

import dev.weir.api.Json;
import java.util.regex.Pattern;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.StreamReadException;

/** Refuses JSON that PostgreSQL cannot keep: the character U+0000, half a surrogate pair, a number without measure. */
final class Characters {
    /** Where one of them may be; nearly every body has none and is not looked at further. */
    private static final Pattern SUSPECT = Pattern.compile("\\\\u(0000|[dD][89a-fA-F])|[eE][+-]?[0-9]{3}");

    private Characters() {}

    static void check(String text) {
        if (!SUSPECT.matcher(text).find()) {
            return;
        }
        try (JsonParser parser = Json.STRICT.createParser(text)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.PROPERTY_NAME || token == JsonToken.VALUE_STRING) {
                    checkText(parser, parser.getString());
                } else if (token == JsonToken.VALUE_NUMBER_FLOAT && Double.isInfinite(parser.getDoubleValue())) {
                    throw new StreamReadException(parser, "expected a number of ordinary size");
                }
            }
        }
    }

    private static void checkText(JsonParser parser, String text) {
        if (text.indexOf('\0') >= 0) {
            throw new StreamReadException(parser, "expected text without the character U+0000");
        }
        if (!wellFormed(text)) {
            throw new StreamReadException(parser, "expected text without half a surrogate pair");
        }
    }

    /** Whether surrogates come in pairs. */
    static boolean wellFormed(String text) {
        for (int i = 0; i < text.length(); i++) {
            char at = text.charAt(i);
            if (Character.isHighSurrogate(at)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(at)) {
                return false;
            }
        }
        return true;
    }
}
