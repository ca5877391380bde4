package dev.weir.forecast;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A guess at the form of some data, based on its schema and on the expressions that read it. */
final class DataGuess {
    /** The number of elements of an invented list. */
    static final int LIST_SIZE = 5;

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /** The type of a value without fields. */
    enum Kind {
        TEXT,
        NUMBER,
        BOOLEAN,
        LIST
    }

    private final Map<String, DataGuess> fields = new TreeMap<>();
    private Kind kind = Kind.TEXT;
    private boolean varies;
    private @Nullable DataGuess element;
    private @Nullable JsonNode literal;

    DataGuess at(List<String> path) {
        DataGuess found = this;
        for (String name : path) {
            found = found.fields.computeIfAbsent(name, ignored -> new DataGuess());
        }
        return found;
    }

    /** Returns the form of the elements, for a list. */
    DataGuess element() {
        if (element == null) {
            element = new DataGuess();
        }
        return element;
    }

    /** Notes the type that a reader expects. A more specific type than text wins. */
    void expectKind(Kind expected) {
        kind = expected == Kind.TEXT ? kind : expected;
    }

    /** Makes the value differ between runs. */
    void vary() {
        varies = true;
    }

    /** Adds the requirements of a schema. */
    void applySchema(JsonNode schema) {
        literal = literalIn(schema);
        switch (schema.path("type").asString("")) {
            case "array" -> {
                kind = Kind.LIST;
                element().applySchema(schema.path("items"));
            }
            case "boolean" -> kind = Kind.BOOLEAN;
            case "integer", "number" -> kind = Kind.NUMBER;
            default -> {}
        }
        schema.path("required").forEach(name -> at(List.of(name.asString(""))));
        for (var property : schema.path("properties").properties()) {
            at(List.of(property.getKey())).applySchema(property.getValue());
        }
    }

    private static @Nullable JsonNode literalIn(JsonNode schema) {
        for (String field : List.of("const", "default")) {
            if (schema.has(field)) {
                return schema.get(field);
            }
        }
        for (String field : List.of("examples", "enum")) {
            if (!schema.path(field).isEmpty()) {
                return schema.path(field).get(0);
            }
        }
        return null;
    }

    boolean hasFields() {
        return !fields.isEmpty();
    }

    /** Creates a value of this form. Values that vary contain {@code number}. */
    JsonNode generate(String name, int number) {
        if (literal != null && !varies) {
            return literal;
        }
        if (kind == Kind.LIST) {
            return generateList(name);
        }
        if (!fields.isEmpty()) {
            ObjectNode object = NODES.objectNode();
            fields.forEach((field, guess) -> object.set(field, guess.generate(field, number)));
            return object;
        }
        return switch (kind) {
            case BOOLEAN -> NODES.booleanNode(true);
            case NUMBER -> NODES.numberNode(varies ? number : 1);
            case TEXT, LIST -> NODES.stringNode(initial(name) + "-" + (varies ? number : 1));
        };
    }

    /** Returns the first letter of a name. It is short because it becomes part of keys: the third order is O-3. */
    private static String initial(String name) {
        return name.isEmpty() ? "X" : name.substring(0, 1).toUpperCase(Locale.ROOT);
    }

    private ArrayNode generateList(String name) {
        ArrayNode list = NODES.arrayNode();
        for (int i = 1; i <= LIST_SIZE; i++) {
            DataGuess elementGuess = element();
            elementGuess.varies = !elementGuess.hasFields();
            list.add(elementGuess.generate(name, i));
        }
        return list;
    }
}
