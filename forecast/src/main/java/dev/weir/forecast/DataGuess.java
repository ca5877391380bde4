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
    static final int ELEMENTS = 5;

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /** The type of a value without fields. */
    enum Kind {
        TEXT,
        NUMBER,
        TRUTH,
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
    void readAs(Kind wanted) {
        kind = wanted == Kind.TEXT ? kind : wanted;
    }

    /** Makes the value differ between runs. */
    void vary() {
        varies = true;
    }

    /** Adds the requirements of a schema. */
    void fit(JsonNode schema) {
        literal = literalIn(schema);
        switch (schema.path("type").asString("")) {
            case "array" -> {
                kind = Kind.LIST;
                element().fit(schema.path("items"));
            }
            case "boolean" -> kind = Kind.TRUTH;
            case "integer", "number" -> kind = Kind.NUMBER;
            default -> {}
        }
        schema.path("required").forEach(name -> at(List.of(name.asString(""))));
        for (var property : schema.path("properties").properties()) {
            at(List.of(property.getKey())).fit(property.getValue());
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
    JsonNode make(String name, int number) {
        if (literal != null && !varies) {
            return literal;
        }
        if (kind == Kind.LIST) {
            return list(name);
        }
        if (!fields.isEmpty()) {
            ObjectNode object = NODES.objectNode();
            fields.forEach((field, guess) -> object.set(field, guess.make(field, number)));
            return object;
        }
        return switch (kind) {
            case TRUTH -> NODES.booleanNode(true);
            case NUMBER -> NODES.numberNode(varies ? number : 1);
            case TEXT, LIST -> NODES.stringNode(letter(name) + "-" + (varies ? number : 1));
        };
    }

    /** Returns the first letter of a name. It is short because it becomes part of keys: the third order is O-3. */
    private static String letter(String name) {
        return name.isEmpty() ? "X" : name.substring(0, 1).toUpperCase(Locale.ROOT);
    }

    private ArrayNode list(String name) {
        ArrayNode list = NODES.arrayNode();
        for (int i = 1; i <= ELEMENTS; i++) {
            DataGuess one = element();
            one.varies = !one.hasFields();
            list.add(one.make(name, i));
        }
        return list;
    }
}
