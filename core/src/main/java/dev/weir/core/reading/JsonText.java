package dev.weir.core.reading;

import dev.weir.core.definition.Bounds;
import dev.weir.core.json.Keepable;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Strict JSON. */
final class JsonText {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final JsonFactory SENT = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(Bounds.DEFINITION_LEVELS_MAX + 2)
                    .maxNumberLength(100)
                    .build())
            .build();
    private static final JsonFactory KEPT = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();
    /** Levels of what was kept: as many as the stack has room for without a doubt. */
    private static final int KEPT_LEVELS_MAX = 1_000;

    private final String text;
    private final Places places;
    private final JsonFactory factory;
    private final Most most;
    private int values;

    /** How many values and levels there may be, and how long a name. */
    private record Most(int values, int levels, int nameChars) {
        static final Most SENT =
                new Most(Bounds.DEFINITION_VALUES_MAX, Bounds.DEFINITION_LEVELS_MAX, Bounds.DEFINITION_NAME_CHARS_MAX);
        static final Most KEPT = new Most(Integer.MAX_VALUE, KEPT_LEVELS_MAX, Integer.MAX_VALUE);
    }

    private JsonText(String text, Places places, JsonFactory factory, Most most) {
        this.text = text;
        this.places = places;
        this.factory = factory;
        this.most = most;
    }

    /** What somebody has sent. */
    static JsonText sent(String text, Places places) {
        return new JsonText(text, places, SENT, Most.SENT);
    }

    /** What was kept; the bounds of what is sent say nothing of it. */
    static JsonText kept(String text, Places places) {
        return new JsonText(text, places, KEPT, Most.KEPT);
    }

    JsonNode read() throws Unreadable {
        try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), text)) {
            parser.nextToken();
            JsonNode root = value(parser, places, at(parser), 1);
            if (parser.nextToken() != null) {
                throw new Unreadable(at(parser), "expected the end of the JSON text, found more");
            }
            return root;
        } catch (JacksonException e) {
            throw new Unreadable(position(e.getLocation()), "expected JSON, because it begins like JSON: " + reason(e));
        }
    }

    private JsonNode value(JsonParser parser, Places place, Position name, int depth) throws Unreadable {
        place.put(name, at(parser));
        if (depth > most.levels) {
            throw new Unreadable(at(parser), "expected at most " + most.levels + " levels, found more");
        }
        if (++values > most.values) {
            throw new Unreadable(at(parser), "expected at most " + most.values + " values, found more");
        }
        JsonToken token = parser.currentToken();
        if (token == null) {
            throw new Unreadable(at(parser), "expected a JSON value, found the end of the text");
        }
        return switch (token) {
            case START_OBJECT -> object(parser, place, depth);
            case START_ARRAY -> array(parser, place, depth);
            case VALUE_STRING -> NODES.stringNode(text(parser, parser.getString()));
            case VALUE_NUMBER_INT -> NODES.numberNode(parser.getBigIntegerValue());
            case VALUE_NUMBER_FLOAT -> number(parser);
            case VALUE_TRUE -> NODES.booleanNode(true);
            case VALUE_FALSE -> NODES.booleanNode(false);
            case VALUE_NULL -> NODES.nullNode();
            default -> throw new Unreadable(at(parser), "expected a JSON value, found " + token);
        };
    }

    private ObjectNode object(JsonParser parser, Places place, int depth) throws Unreadable {
        ObjectNode object = NODES.objectNode();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = text(parser, parser.currentName());
            Position nameAt = at(parser);
            if (name.length() > most.nameChars) {
                throw Unreadable.longName(nameAt, name);
            }
            if (object.has(name)) {
                throw new Unreadable(nameAt, "expected each name once in an object, found '" + name + "' again");
            }
            parser.nextToken();
            object.set(name, value(parser, place.add(name), nameAt, depth + 1));
        }
        return object;
    }

    private ArrayNode array(JsonParser parser, Places place, int depth) throws Unreadable {
        ArrayNode array = NODES.arrayNode();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            array.add(value(parser, place.add(String.valueOf(array.size())), at(parser), depth + 1));
        }
        return array;
    }

    private static JsonNode number(JsonParser parser) throws Unreadable {
        double number = parser.getDoubleValue();
        if (Double.isInfinite(number)) {
            throw new Unreadable(at(parser), "expected a number of ordinary size, found " + parser.getString());
        }
        return NODES.numberNode(number);
    }

    private static String text(JsonParser parser, String value) throws Unreadable {
        String misfit = Keepable.misfit(value);
        if (misfit != null) {
            throw new Unreadable(at(parser), "expected text without " + misfit + ", found it");
        }
        return value;
    }

    private static Position at(JsonParser parser) {
        return position(parser.currentTokenLocation());
    }

    private static Position position(@Nullable TokenStreamLocation location) {
        if (location == null) {
            return Position.START;
        }
        return new Position(Math.max(1, location.getLineNr()), Math.max(1, location.getColumnNr()));
    }

    private static String reason(JacksonException e) {
        return e.getOriginalMessage().lines().findFirst().orElse("it is not");
    }
}
