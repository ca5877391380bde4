package dev.weir.core.definition;

import dev.weir.core.expression.LinearPattern;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Estimates the cost of checking a value against a schema, without checking it. The check may look at each element of a
 * list for each of a thousand choices, and keeps a message for every mismatch. That can take minutes and exhaust the
 * memory. Each instance measures one value.
 */
final class SchemaCost {
    /**
     * The most looks that one check may take: about 30 milliseconds. A look compares one part of a schema with one part
     * of a value, or a pattern with some characters.
     */
    static final int LOOKS_MAX = 100_000;
    /** The looks per part of a value, for values so large that this allows more than {@link #LOOKS_MAX}. */
    private static final int LOOKS_PER_PART = 5;

    private final JsonNode root;
    private final Map<String, JsonNode> referred = new HashMap<>();
    private final Map<String, Long> states = new HashMap<>();
    private final long most;
    private long left;

    private SchemaCost(JsonNode root, long most) {
        this.root = root;
        this.most = most;
        this.left = most;
    }

    /** Measures the check of a value. */
    static SchemaCost of(JsonNode schema, JsonNode value) {
        var cost = new SchemaCost(schema, Math.max(LOOKS_MAX, LOOKS_PER_PART * parts(value)));
        cost.look(schema, value);
        return cost;
    }

    /** True if the value can be checked in reasonable time. */
    boolean isAllowed() {
        return left >= 0;
    }

    /** Returns the looks that the check takes. Measuring stops at the most that is allowed. */
    long looks() {
        return most - Math.max(left, 0);
    }

    private static long parts(JsonNode value) {
        long parts = 0;
        ArrayDeque<JsonNode> open = new ArrayDeque<>();
        open.add(value);
        for (JsonNode next = open.poll(); next != null; next = open.poll()) {
            parts += 1 + next.size();
            for (JsonNode child : next) {
                if (child.isContainer()) {
                    open.add(child);
                }
            }
        }
        return parts;
    }

    private void look(JsonNode schema, JsonNode value) {
        left--;
        for (var field : schema.properties()) {
            if (left < 0) {
                return;
            }
            left--;
            look(field.getKey(), field.getValue(), value);
        }
    }

    private void look(String keyword, JsonNode under, JsonNode value) {
        switch (keyword) {
            case "$ref" -> look(referred(under.asString("")), value);
            case "allOf", "anyOf", "oneOf", "dependentSchemas" -> each(under, value);
            case "not", "if", "then", "else" -> look(under, value);
            case "items", "contains", "unevaluatedItems" -> children(under, value, value.isArray());
            case "additionalProperties", "unevaluatedProperties" -> children(under, value, value.isObject());
            case "properties" -> properties(under, value);
            case "patternProperties" -> patternProperties(under, value);
            case "propertyNames" -> names(under, value);
            case "prefixItems" -> prefix(under, value);
            case "pattern" -> pattern(under.asString(""), value.isString() ? value.stringValue() : "");
            case "enum" -> left -= under.size();
            case "required", "uniqueItems" -> left -= under.size() + value.size();
            default -> {}
        }
    }

    private JsonNode referred(String target) {
        return referred.computeIfAbsent(target, ignored -> root.at(JsonPointer.compile(target.substring(1))));
    }

    private void each(JsonNode schemas, JsonNode value) {
        for (JsonNode schema : schemas) {
            if (left >= 0) {
                look(schema, value);
            }
        }
    }

    private void children(JsonNode schema, JsonNode value, boolean apply) {
        for (JsonNode child : value) {
            if (apply && left >= 0) {
                look(schema, child);
            }
        }
    }

    private void properties(JsonNode schemas, JsonNode value) {
        for (var property : schemas.properties()) {
            left--;
            JsonNode child = value.get(property.getKey());
            if (child != null && left >= 0) {
                look(property.getValue(), child);
            }
        }
    }

    private void patternProperties(JsonNode schemas, JsonNode value) {
        for (var pattern : schemas.properties()) {
            for (var property : value.properties()) {
                if (left >= 0) {
                    pattern(pattern.getKey(), property.getKey());
                    look(pattern.getValue(), property.getValue());
                }
            }
        }
    }

    private void names(JsonNode schema, JsonNode value) {
        for (var property : value.properties()) {
            if (left >= 0) {
                look(schema, JsonNodeFactory.instance.stringNode(property.getKey()));
            }
        }
    }

    private void prefix(JsonNode schemas, JsonNode value) {
        for (int i = 0; i < Math.min(schemas.size(), value.size()) && left >= 0; i++) {
            look(schemas.get(i), value.get(i));
        }
    }

    private void pattern(String pattern, String text) {
        long size = states.computeIfAbsent(pattern, LinearPattern::statesOf);
        left -= 1 + LinearPattern.searching(size, text.length());
    }
}
