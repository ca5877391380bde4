package dev.weir.core.definition;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/** Measures a schema with all references expanded. A recursive schema has no such size and is refused. */
final class SchemaSize {
    static final int UNFOLDED_MAX = 2_000;
    private static final String DIALECT = "https://json-schema.org/draft/2020-12/schema";

    private final JsonNode root;
    private final Map<String, Integer> known = new HashMap<>();
    private final Set<String> open = new HashSet<>();

    private SchemaSize(JsonNode root) {
        this.root = root;
    }

    static void check(JsonNode document) {
        if (!document.isObject() && !document.isBoolean()) {
            throw new InvalidDefinition("", "a JSON Schema: an object", FieldChecks.quoted(document.toString()));
        }
        JsonNode dialect = document.path("$schema");
        if (!dialect.isMissingNode() && !dialect.asString("").equals(DIALECT)) {
            throw new InvalidDefinition("", "a schema of draft 2020-12", dialect.toString());
        }
        new SchemaSize(document).size(document);
    }

    private int size(JsonNode node) {
        long size = 1;
        for (var field : node.properties()) {
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
