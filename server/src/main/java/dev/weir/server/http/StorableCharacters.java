package dev.weir.server.http;

import dev.weir.api.WireJson;
import java.util.regex.Pattern;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.StreamReadException;

/**
 * Refuses JSON that PostgreSQL cannot store: the character U+0000, unpaired surrogates, and numbers beyond the
 * range of a double.
 */
final class StorableCharacters {
    /** Matches where such a value may be. Nearly every body has no match and needs no further check. */
    private static final Pattern SUSPECT = Pattern.compile("\\\\u(0000|[dD][89a-fA-F])|[eE][+-]?[0-9]{3}");

    private StorableCharacters() {}

    static void check(String text) {
        if (!SUSPECT.matcher(text).find()) {
            return;
        }
        try (JsonParser parser = WireJson.STRICT.createParser(text)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.PROPERTY_NAME || token == JsonToken.VALUE_STRING) {
                    checkText(parser, parser.getString());
                } else if (token == JsonToken.VALUE_NUMBER_FLOAT && Double.isInfinite(parser.getDoubleValue())) {
                    throw new StreamReadException(parser, "expected a number with a smaller exponent");
                }
            }
        }
    }

    private static void checkText(JsonParser parser, String text) {
        if (text.indexOf('\0') >= 0) {
            throw new StreamReadException(parser, "expected text without the character U+0000");
        }
        if (!isWellFormed(text)) {
            throw new StreamReadException(parser, "expected text without half a surrogate pair");
        }
    }

    /** Returns true if all surrogates are paired. */
    static boolean isWellFormed(String text) {
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
