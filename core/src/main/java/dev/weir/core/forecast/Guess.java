package dev.weir.core.forecast;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What some data has to look like for the schema that it must fit and for the expressions that read it. */
final class Guess {
    /** Elements of a list that is made up. */
    static final int ELEMENTS = 5;

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /** What kind of value it is, where it has no fields. */
    enum Kind {
        TEXT,
        NUMBER,
        TRUTH,
        LIST
    }

    private final Map<String, Guess> fields = new TreeMap<>();
    private Kind kind = Kind.TEXT;
    private boolean varies;
    private @Nullable Guess element;
    private @Nullable JsonNode literal;

    Guess at(List<String> path) {
        Guess found = this;
        for (String name : path) {
            found = found.fields.computeIfAbsent(name, ignored -> new Guess());
        }
        return found;
    }

    /** What the elements look like, if it is a list. */
    Guess element() {
        if (element == null) {
            element = new Guess();
        }
        return element;
    }

    /** Takes note of a reader; one that says more about the kind wins. */
    void readAs(Kind wanted) {
        kind = wanted == Kind.TEXT ? kind : wanted;
    }

    /** Makes it different for every run. */
    void vary() {
        varies = true;
    }

    /** Takes in what a schema says. */
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

    /** A value of that look; {@code number} tells values apart that vary. */
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

    /** Short, since it becomes part of keys: the third order is O-3. */
    private static String letter(String name) {
        return name.isEmpty() ? "X" : name.substring(0, 1).toUpperCase(Locale.ROOT);
    }

    private ArrayNode list(String name) {
        ArrayNode list = NODES.arrayNode();
        for (int i = 1; i <= ELEMENTS; i++) {
            Guess one = element();
            one.varies = !one.hasFields();
            list.add(one.make(name, i));
        }
        return list;
    }
}
