package dev.weir.core.definition;

import dev.weir.core.expression.LinearPattern;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/** Measures a schema with all references expanded. A recursive schema has no such size and is refused. */
final class SchemaSize {
    static final int EXPANDED_PARTS_MAX = 2_000;
    /** The most states of all patterns of a schema together. */
    static final int STATES_MAX = 100_000;

    /** The prices of compiling a schema, for each part and for each state of a pattern, in units. */
    private static final int UNITS_PER_PART = 60;

    private static final int UNITS_PER_STATE = 1;
    private static final String DIALECT = "https://json-schema.org/draft/2020-12/schema";

    private final JsonNode root;
    private final Map<String, Integer> measuredSizes = new HashMap<>();
    private final Set<String> resolving = new HashSet<>();
    private long states;

    private SchemaSize(JsonNode root) {
        this.root = root;
    }

    /** Checks the size of a schema, and returns the units that it takes to compile it. */
    static long compileUnits(JsonNode document) {
        if (!document.isObject() && !document.isBoolean()) {
            throw new InvalidDefinition("", "a JSON Schema: an object", FieldChecks.quoted(document.toString()));
        }
        JsonNode dialect = document.path("$schema");
        if (!dialect.isMissingNode() && !dialect.asString("").equals(DIALECT)) {
            throw new InvalidDefinition("", "a schema of draft 2020-12", dialect.toString());
        }
        var size = new SchemaSize(document);
        long parts = size.measure(document);
        if (size.states > STATES_MAX) {
            String expected = "patterns of at most " + STATES_MAX + " states in all, repetitions written out";
            throw new InvalidDefinition("", expected, "more");
        }
        return parts * UNITS_PER_PART + size.states * UNITS_PER_STATE;
    }

    private int measure(JsonNode node) {
        long size = 1;
        for (var field : node.properties()) {
            countPatterns(field.getKey(), field.getValue());
            size += switch (field.getKey()) {
                case "$ref" -> measureReference(field.getValue());
                case "$dynamicRef", "$recursiveRef", "$id", "$anchor", "$dynamicAnchor" ->
                    throw new InvalidDefinition("", "a schema without " + field.getKey(), field.getKey());
                case "enum", "const", "examples", "default" -> 1;
                default -> measure(field.getValue());
            };
        }
        if (node.isArray()) {
            for (JsonNode element : node) {
                size += measure(element);
            }
        }
        if (size > EXPANDED_PARTS_MAX) {
            String expected = "a schema of at most " + EXPANDED_PARTS_MAX + " parts with all references expanded";
            throw new InvalidDefinition("", expected, "more");
        }
        return (int) size;
    }

    private void countPatterns(String keyword, JsonNode value) {
        if (keyword.equals("pattern") && value.isString()) {
            states += countStates(value.stringValue());
        } else if (keyword.equals("patternProperties")) {
            value.propertyNames().forEach(pattern -> states += countStates(pattern));
        }
    }

    /** Returns the states of a pattern; none if it is invalid, which is reported when it is compiled. */
    private static long countStates(String pattern) {
        try {
            return LinearPattern.countStates(pattern);
        } catch (IllegalArgumentException e) {
            return 0;
        }
    }

    private int measureReference(JsonNode value) {
        String target = value.asString("");
        if (!target.startsWith("#/")) {
            throw new InvalidDefinition("", "references within the schema, such as #/$defs/x", value.toString());
        }
        Integer size = measuredSizes.get(target);
        if (size != null) {
            return size;
        }
        if (!resolving.add(target)) {
            throw new InvalidDefinition("", "a schema that does not refer to itself", target);
        }
        JsonNode referenced = root.at(JsonPointer.compile(target.substring(1)));
        if (referenced.isMissingNode()) {
            throw new InvalidDefinition("", "a reference to an existing part of the schema", target);
        }
        int measured = measure(referenced);
        resolving.remove(target);
        measuredSizes.put(target, measured);
        return measured;
    }
}
