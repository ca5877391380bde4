package dev.weir.core.reading;

import dev.weir.core.definition.DefinitionBounds;
import dev.weir.core.json.StorableJson;
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

/** Reads strict JSON. */
final class JsonReader {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final JsonFactory REQUEST_FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DefinitionBounds.DEFINITION_LEVELS_MAX + 2)
                    .maxNumberLength(100)
                    .build())
            .build();
    private static final JsonFactory STORED_FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();
    /** The deepest nesting of stored JSON: a depth for which the stack certainly has room. */
    private static final int STORED_LEVELS_MAX = 1_000;

    private final String text;
    private final SourcePlaces places;
    private final JsonFactory factory;
    private final ReadBounds bounds;
    private int values;

    /**
     * The bounds on values, levels and the length of names.
     *
     * @param keepsPlaces true if the positions of all values are kept, for messages about them
     */
    private record ReadBounds(int values, int levels, int nameChars, boolean keepsPlaces) {
        static final ReadBounds REQUEST = new ReadBounds(
                DefinitionBounds.DEFINITION_VALUES_MAX,
                DefinitionBounds.DEFINITION_LEVELS_MAX,
                DefinitionBounds.DEFINITION_NAME_CHARS_MAX,
                true);
        static final ReadBounds STORED = new ReadBounds(Integer.MAX_VALUE, STORED_LEVELS_MAX, Integer.MAX_VALUE, false);
    }

    private JsonReader(String text, SourcePlaces places, JsonFactory factory, ReadBounds bounds) {
        this.text = text;
        this.places = places;
        this.factory = factory;
        this.bounds = bounds;
    }

    /** Reads JSON that a caller sent. */
    static JsonReader forRequest(String text, SourcePlaces places) {
        return new JsonReader(text, places, REQUEST_FACTORY, ReadBounds.REQUEST);
    }

    /** Reads stored JSON. The bounds of sent JSON do not apply to it. */
    static JsonReader forStored(String text, SourcePlaces places) {
        return new JsonReader(text, places, STORED_FACTORY, ReadBounds.STORED);
    }

    JsonNode read() throws UnreadableText {
        try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), text)) {
            parser.nextToken();
            JsonNode root = readValue(parser, places, positionOf(parser), 1);
            if (parser.nextToken() != null) {
                throw new UnreadableText(positionOf(parser), "expected the end of the JSON text, found more");
            }
            return root;
        } catch (JacksonException e) {
            throw new UnreadableText(
                    position(e.getLocation()), "expected JSON, because the text begins like JSON: " + reason(e));
        }
    }

    private JsonNode readValue(JsonParser parser, SourcePlaces place, TextPosition name, int depth)
            throws UnreadableText {
        place.put(name, positionOf(parser));
        if (depth > bounds.levels) {
            throw new UnreadableText(positionOf(parser), "expected at most " + bounds.levels + " levels, found more");
        }
        if (++values > bounds.values) {
            throw new UnreadableText(positionOf(parser), "expected at most " + bounds.values + " values, found more");
        }
        JsonToken token = parser.currentToken();
        if (token == null) {
            throw new UnreadableText(positionOf(parser), "expected a JSON value, found the end of the text");
        }
        return switch (token) {
            case START_OBJECT -> readObject(parser, place, depth);
            case START_ARRAY -> readArray(parser, place, depth);
            case VALUE_STRING -> NODES.stringNode(checkedText(parser, parser.getString()));
            case VALUE_NUMBER_INT -> NODES.numberNode(parser.getBigIntegerValue());
            case VALUE_NUMBER_FLOAT -> readNumber(parser);
            case VALUE_TRUE -> NODES.booleanNode(true);
            case VALUE_FALSE -> NODES.booleanNode(false);
            case VALUE_NULL -> NODES.nullNode();
            default -> throw new UnreadableText(positionOf(parser), "expected a JSON value, found " + token);
        };
    }

    private ObjectNode readObject(JsonParser parser, SourcePlaces place, int depth) throws UnreadableText {
        ObjectNode object = NODES.objectNode();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = checkedText(parser, parser.currentName());
            TextPosition nameAt = positionOf(parser);
            if (name.length() > bounds.nameChars) {
                throw UnreadableText.nameTooLong(nameAt, name);
            }
            if (object.has(name)) {
                throw new UnreadableText(
                        nameAt, "expected each name only once in an object, found '" + name + "' twice");
            }
            parser.nextToken();
            object.set(name, readValue(parser, childPlace(place, name), nameAt, depth + 1));
        }
        return object;
    }

    private SourcePlaces childPlace(SourcePlaces place, String name) {
        return bounds.keepsPlaces ? place.add(name) : place;
    }

    private ArrayNode readArray(JsonParser parser, SourcePlaces place, int depth) throws UnreadableText {
        ArrayNode array = NODES.arrayNode();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            array.add(
                    readValue(parser, childPlace(place, String.valueOf(array.size())), positionOf(parser), depth + 1));
        }
        return array;
    }

    private JsonNode readNumber(JsonParser parser) throws UnreadableText {
        double number = parser.getDoubleValue();
        if (Double.isInfinite(number)) {
            throw new UnreadableText(
                    positionOf(parser), "expected a number in the range of a double, found " + parser.getString());
        }
        return NODES.numberNode(number);
    }

    private String checkedText(JsonParser parser, String value) throws UnreadableText {
        String problem = StorableJson.findProblem(value);
        if (problem != null) {
            throw new UnreadableText(positionOf(parser), "expected text that Weir can store, found " + problem);
        }
        return value;
    }

    private TextPosition positionOf(JsonParser parser) {
        return bounds.keepsPlaces ? position(parser.currentTokenLocation()) : TextPosition.START;
    }

    private static TextPosition position(@Nullable TokenStreamLocation location) {
        if (location == null) {
            return TextPosition.START;
        }
        return new TextPosition(Math.max(1, location.getLineNr()), Math.max(1, location.getColumnNr()));
    }

    private static String reason(JacksonException e) {
        return e.getOriginalMessage().lines().findFirst().orElse("the text is not JSON");
    }
}
