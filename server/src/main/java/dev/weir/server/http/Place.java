package dev.weir.server.http;

import dev.weir.api.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamLocation;

/** Where in a text something stands, from 1; absent where that is not known. */
record Place(@Nullable Integer line, @Nullable Integer column) {
    static final Place UNKNOWN = new Place(null, null);

    static Place of(@Nullable TokenStreamLocation location) {
        return location == null || location.getLineNr() < 1 || location.getColumnNr() < 1
                ? UNKNOWN
                : new Place(location.getLineNr(), location.getColumnNr());
    }

    /** Where the value with that JSON pointer begins. */
    static Place of(String text, String pointer) {
        try (JsonParser parser = Json.STRICT.createParser(text)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                boolean begins = token != JsonToken.END_OBJECT && token != JsonToken.END_ARRAY;
                if (begins && pathOf(parser, token).equals(pointer)) {
                    return of(parser.currentTokenLocation());
                }
            }
        } catch (JacksonException e) {
            return UNKNOWN;
        }
        return UNKNOWN;
    }

    /** The pointer of the value or name that the parser is at; an object that has just begun is its own place. */
    private static String pathOf(JsonParser parser, JsonToken token) {
        var context = parser.streamReadContext();
        boolean entered = token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY;
        return (entered ? context.getParent() : context).pathAsPointer().toString();
    }
}
