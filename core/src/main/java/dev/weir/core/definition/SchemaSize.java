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
    static final int UNFOLDED_MAX = 2_000;
    /** The most states of all patterns of a schema together. */
    static final int STATES_MAX = 100_000;

    /** The prices of compiling a schema, for each part and for each state of a pattern, in units. */
    private static final int PART = 60;

    private static final int STATE = 1;
    private static final String DIALECT = "https://json-schema.org/draft/2020-12/schema";

    private final JsonNode root;
    private final Map<String, Integer> known = new HashMap<>();
    private final Set<String> open = new HashSet<>();
    private long states;

    private SchemaSize(JsonNode root) {
        this.root = root;
    }

    /** Checks the size of a schema, and returns the units that it takes to compile it. */
    static long compilingUnits(JsonNode document) {
        if (!document.isObject() && !document.isBoolean()) {
            throw new InvalidDefinition("", "a JSON Schema: an object", FieldChecks.quoted(document.toString()));
        }
        JsonNode dialect = document.path("$schema");
        if (!dialect.isMissingNode() && !dialect.asString("").equals(DIALECT)) {
            throw new InvalidDefinition("", "a schema of draft 2020-12", dialect.toString());
        }
        var size = new SchemaSize(document);
        long parts = size.size(document);
        if (size.states > STATES_MAX) {
            String expected = "patterns of at most " + STATES_MAX + " states in all, repetitions written out";
            throw new InvalidDefinition("", expected, "more");
        }
        return parts * PART + size.states * STATE;
    }

    private int size(JsonNode node) {
        long size = 1;
        for (var field : node.properties()) {
            countPatterns(field.getKey(), field.getValue());
            size += switch (field.getKey()) {
                case "$ref" -> reference(field.getValue());
                case "$dynamicRef", "$recursiveRef", "$id", "$anchor", "$dynamicAnchor" ->
                    throw new InvalidDefinition("", "a schema without " + field.getKey(), field.getKey());
                case "enum", "const", "examples", "default" -> 1;
                default -> size(field.getValue());
            };
        }
        if (node.isArray()) {
            for (JsonNode element : node) {
                size += size(element);
            }
        }
        if (size > UNFOLDED_MAX) {
            String expected = "a schema of at most " + UNFOLDED_MAX + " parts with all references expanded";
            throw new InvalidDefinition("", expected, "more");
        }
        return (int) size;
    }

    private void countPatterns(String keyword, JsonNode value) {
        if (keyword.equals("pattern") && value.isString()) {
            states += statesOf(value.stringValue());
        } else if (keyword.equals("patternProperties")) {
            value.propertyNames().forEach(pattern -> states += statesOf(pattern));
        }
    }

    /** Returns the states of a pattern; none if it is invalid, which is reported when it is compiled. */
    private static long statesOf(String pattern) {
        try {
            return LinearPattern.statesOf(pattern);
        } catch (IllegalArgumentException e) {
            return 0;
        }
    }

    private int reference(JsonNode value) {
        String target = value.asString("");
        if (!target.startsWith("#/")) {
            throw new InvalidDefinition("", "references within the schema, such as #/$defs/x", value.toString());
        }
        Integer size = known.get(target);
        if (size != null) {
            return size;
        }
        if (!open.add(target)) {
            throw new InvalidDefinition("", "a schema that does not refer to itself", target);
        }
        JsonNode referred = root.at(JsonPointer.compile(target.substring(1)));
        if (referred.isMissingNode()) {
            throw new InvalidDefinition("", "a reference to an existing part of the schema", target);
        }
        int measured = size(referred);
        open.remove(target);
        known.put(target, measured);
        return measured;
    }
}
