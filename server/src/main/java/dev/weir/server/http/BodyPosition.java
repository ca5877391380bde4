package dev.weir.server.http;

import dev.weir.api.WireJson;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonPointer;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamLocation;

/** A line and column in a text, from 1. Both are absent if the position is unknown. */
record BodyPosition(@Nullable Integer line, @Nullable Integer column) {
    static final BodyPosition UNKNOWN = new BodyPosition(null, null);

    static BodyPosition of(@Nullable TokenStreamLocation location) {
        return location == null || location.getLineNr() < 1 || location.getColumnNr() < 1
                ? UNKNOWN
                : new BodyPosition(location.getLineNr(), location.getColumnNr());
    }

    /**
     * Returns the position of the value with this JSON pointer: that of its name, if it has one. Each token is read
     * at most once.
     */
    static BodyPosition of(String text, String pointer) {
        try (JsonParser parser = WireJson.STRICT.createParser(text)) {
            parser.nextToken();
            BodyPosition position = of(parser.currentTokenLocation());
            for (JsonPointer remaining = JsonPointer.compile(pointer);
                    !remaining.matches() && position != null;
                    remaining = remaining.tail()) {
                position = enter(parser, remaining);
            }
            return position == null ? UNKNOWN : position;
        } catch (JacksonException | IllegalArgumentException e) {
            return UNKNOWN;
        }
    }

    /** Advances to the child value that the pointer names. Returns null if there is none. */
    private static @Nullable BodyPosition enter(JsonParser parser, JsonPointer remaining) {
        JsonToken token = parser.currentToken();
        if (token == JsonToken.START_OBJECT) {
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                BodyPosition name = of(parser.currentTokenLocation());
                boolean found = parser.currentName().equals(remaining.getMatchingProperty());
                parser.nextToken();
                if (found) {
                    return name;
                }
                parser.skipChildren();
            }
        } else if (token == JsonToken.START_ARRAY) {
            for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
                if (i == remaining.getMatchingIndex()) {
                    return of(parser.currentTokenLocation());
                }
                parser.skipChildren();
            }
        }
        return null;
    }
}
