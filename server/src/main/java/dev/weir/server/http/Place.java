package dev.weir.server.http;

import dev.weir.api.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonPointer;
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

    /** Where the value with that JSON pointer begins: at its name, if it has one. Each token is looked at once at the most. */
    static Place of(String text, String pointer) {
        try (JsonParser parser = Json.STRICT.createParser(text)) {
            parser.nextToken();
            Place place = of(parser.currentTokenLocation());
            for (JsonPointer at = JsonPointer.compile(pointer); !at.matches() && place != null; at = at.tail()) {
                place = enter(parser, at);
            }
            return place == null ? UNKNOWN : place;
        } catch (JacksonException | IllegalArgumentException e) {
            return UNKNOWN;
        }
    }

    /** Goes on to the value within the one that the parser is at; absent if there is none. */
    private static @Nullable Place enter(JsonParser parser, JsonPointer at) {
        JsonToken token = parser.currentToken();
        if (token == JsonToken.START_OBJECT) {
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                Place name = of(parser.currentTokenLocation());
                boolean found = parser.currentName().equals(at.getMatchingProperty());
                parser.nextToken();
                if (found) {
                    return name;
                }
                parser.skipChildren();
            }
        } else if (token == JsonToken.START_ARRAY) {
            for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
                if (i == at.getMatchingIndex()) {
                    return of(parser.currentTokenLocation());
                }
                parser.skipChildren();
            }
        }
        return null;
    }
}
