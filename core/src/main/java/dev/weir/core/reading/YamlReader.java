package dev.weir.core.reading;

import dev.weir.core.definition.DefinitionBounds;
import dev.weir.core.json.StorableJson;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.resolver.ScalarResolver;
import org.snakeyaml.engine.v2.schema.CoreSchema;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads the part of YAML 1.2 that corresponds to JSON: no tags, no merge keys, and names are texts. */
final class YamlReader {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final LoadSettings SETTINGS =
            LoadSettings.builder().setSchema(new CoreSchema()).setUseMarks(true).build();

    private final ScalarResolver resolver = SETTINGS.getSchema().getScalarResolver();
    private final Map<Anchor, JsonNode> anchors = new HashMap<>();
    private final SourcePlaces places;
    private final Iterator<Event> events;
    private int nodes;
    private int aliases;

    YamlReader(String text, SourcePlaces places) {
        this.places = places;
        this.events = new Parse(SETTINGS).parseString(text).iterator();
    }

    JsonNode read() throws UnreadableText {
        try {
            events.next();
            Event first = events.next();
            if (first.getEventId() == Event.ID.StreamEnd) {
                throw new UnreadableText(TextPosition.START, "expected a definition, found nothing");
            }
            Event start = events.next();
            JsonNode root = readValue(start, places, positionOf(start), 1);
            events.next();
            Event end = events.next();
            if (end.getEventId() != Event.ID.StreamEnd) {
                throw new UnreadableText(positionOf(end), "expected one YAML document, found a second one");
            }
            return root;
        } catch (MarkedYamlEngineException e) {
            throw new UnreadableText(
                    e.getProblemMark().map(YamlReader::position).orElse(TextPosition.START), reason(e));
        } catch (YamlEngineException e) {
            throw new UnreadableText(TextPosition.START, "expected YAML: " + e.getMessage());
        }
    }

    private JsonNode readValue(Event event, SourcePlaces place, TextPosition name, int depth) throws UnreadableText {
        place.put(name, positionOf(event));
        if (depth > DefinitionBounds.DEFINITION_LEVELS_MAX) {
            throw new UnreadableText(
                    positionOf(event),
                    "expected at most " + DefinitionBounds.DEFINITION_LEVELS_MAX + " levels, found more");
        }
        count(event, 1);
        JsonNode node = switch (event) {
            case ScalarEvent scalar -> readScalar(scalar);
            case MappingStartEvent mapping -> readObject(mapping, place, depth);
            case SequenceStartEvent sequence -> readArray(sequence, place, depth);
            case AliasEvent alias -> resolveAlias(alias, depth);
            default -> throw new UnreadableText(positionOf(event), "expected a value, found none");
        };
        if (event instanceof NodeEvent named && !(event instanceof AliasEvent)) {
            named.getAnchor().ifPresent(anchor -> anchors.put(anchor, node));
        }
        return node;
    }

    private ObjectNode readObject(MappingStartEvent start, SourcePlaces place, int depth) throws UnreadableText {
        refuseTag(start, start.getTag());
        ObjectNode object = NODES.objectNode();
        for (Event next = events.next(); next.getEventId() != Event.ID.MappingEnd; next = events.next()) {
            if (!(next instanceof ScalarEvent key)) {
                throw new UnreadableText(
                        positionOf(next), "expected a string as the name of a field, found another kind of value");
            }
            String name = checkedText(key);
            if (name.equals("<<") && key.isPlain()) {
                throw new UnreadableText(positionOf(key), "expected fields without merge keys, found a merge key (<<)");
            }
            if (name.length() > DefinitionBounds.DEFINITION_NAME_CHARS_MAX) {
                throw UnreadableText.nameTooLong(positionOf(key), name);
            }
            if (object.has(name)) {
                throw new UnreadableText(
                        positionOf(key), "expected each name only once in an object, found '" + name + "' twice");
            }
            object.set(name, readValue(events.next(), place.add(name), positionOf(key), depth + 1));
        }
        return object;
    }

    private ArrayNode readArray(SequenceStartEvent start, SourcePlaces place, int depth) throws UnreadableText {
        refuseTag(start, start.getTag());
        ArrayNode array = NODES.arrayNode();
        for (Event next = events.next(); next.getEventId() != Event.ID.SequenceEnd; next = events.next()) {
            array.add(readValue(next, place.add(String.valueOf(array.size())), positionOf(next), depth + 1));
        }
        return array;
    }

    /** Returns the anchored value again. All of its content counts again, so that aliases of aliases cannot explode. */
    private JsonNode resolveAlias(AliasEvent alias, int depth) throws UnreadableText {
        JsonNode node = anchors.get(alias.getAlias());
        if (node == null) {
            throw new UnreadableText(
                    positionOf(alias), "expected an anchor before its alias, found none: " + alias.getAlias());
        }
        if (++aliases > SourceDocument.ALIASES_MAX) {
            throw new UnreadableText(
                    positionOf(alias), "expected at most " + SourceDocument.ALIASES_MAX + " aliases, found more");
        }
        countAll(alias, node, depth);
        return node.deepCopy();
    }

    private void countAll(Event event, JsonNode node, int depth) throws UnreadableText {
        if (depth > DefinitionBounds.DEFINITION_LEVELS_MAX) {
            throw new UnreadableText(
                    positionOf(event),
                    "expected at most " + DefinitionBounds.DEFINITION_LEVELS_MAX + " levels, found more");
        }
        count(event, 1);
        for (JsonNode child : node.values()) {
            countAll(event, child, depth + 1);
        }
    }

    private void count(Event event, int more) throws UnreadableText {
        nodes += more;
        if (nodes > DefinitionBounds.DEFINITION_VALUES_MAX) {
            throw new UnreadableText(
                    positionOf(event),
                    "expected at most " + DefinitionBounds.DEFINITION_VALUES_MAX + " values, found more");
        }
    }

    private JsonNode readScalar(ScalarEvent scalar) throws UnreadableText {
        refuseTag(scalar, scalar.getTag());
        String value = checkedText(scalar);
        Tag tag = scalar.isPlain() ? resolver.resolve(value, true) : Tag.STR;
        if (tag.equals(Tag.INT)) {
            return readInteger(scalar, value);
        }
        if (tag.equals(Tag.FLOAT)) {
            return readDecimal(scalar, value);
        }
        if (tag.equals(Tag.BOOL)) {
            return NODES.booleanNode(value.equalsIgnoreCase("true"));
        }
        return tag.equals(Tag.NULL) ? NODES.nullNode() : NODES.stringNode(value);
    }

    private static JsonNode readInteger(ScalarEvent scalar, String value) throws UnreadableText {
        if (value.length() > 100) {
            throw new UnreadableText(
                    positionOf(scalar), "expected a number of at most 100 digits, found " + value.length() + " digits");
        }
        if (value.startsWith("0x")) {
            return NODES.numberNode(new BigInteger(value.substring(2), 16));
        }
        if (value.startsWith("0o")) {
            return NODES.numberNode(new BigInteger(value.substring(2), 8));
        }
        return NODES.numberNode(new BigInteger(value));
    }

    private static JsonNode readDecimal(ScalarEvent scalar, String value) throws UnreadableText {
        double number = value.contains(".i") || value.contains(".I") || value.contains(".n") || value.contains(".N")
                ? Double.NaN
                : Double.parseDouble(value);
        if (Double.isNaN(number) || Double.isInfinite(number)) {
            throw new UnreadableText(positionOf(scalar), "expected a number that JSON can represent, found " + value);
        }
        return NODES.numberNode(number);
    }

    private static String checkedText(ScalarEvent scalar) throws UnreadableText {
        String value = scalar.getValue();
        String problem = StorableJson.findProblem(value);
        if (problem != null) {
            throw new UnreadableText(positionOf(scalar), "expected text that Weir can store, found " + problem);
        }
        return value;
    }

    private static void refuseTag(Event event, Optional<String> tag) throws UnreadableText {
        if (tag.isPresent()) {
            throw new UnreadableText(positionOf(event), "expected a value without a tag, found " + tag.get());
        }
    }

    private static TextPosition positionOf(Event event) {
        return event.getStartMark().map(YamlReader::position).orElse(TextPosition.START);
    }

    private static TextPosition position(Mark mark) {
        return new TextPosition(mark.getLine() + 1, mark.getColumn() + 1);
    }

    private static String reason(MarkedYamlEngineException e) {
        String context = e.getContext() == null ? "" : e.getContext() + ": ";
        return "expected YAML: " + context + e.getProblem();
    }
}
