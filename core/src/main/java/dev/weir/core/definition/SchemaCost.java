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
    static final int COMPARISONS_MAX = 100_000;
    /** The looks per part of a value, for values so large that this allows more than {@link #COMPARISONS_MAX}. */
    private static final int COMPARISONS_PER_PART = 5;

    private final JsonNode root;
    private final Map<String, JsonNode> resolved = new HashMap<>();
    private final Map<String, Long> patternStates = new HashMap<>();
    private final long maximum;
    private long remaining;

    private SchemaCost(JsonNode root, long maximum) {
        this.root = root;
        this.maximum = maximum;
        this.remaining = maximum;
    }

    /** Measures the check of a value. */
    static SchemaCost of(JsonNode schema, JsonNode value) {
        var cost = new SchemaCost(schema, Math.max(COMPARISONS_MAX, COMPARISONS_PER_PART * countParts(value)));
        cost.measure(schema, value);
        return cost;
    }

    /** True if the value can be checked in reasonable time. */
    boolean isAllowed() {
        return remaining >= 0;
    }

    /** Returns the looks that the check takes. Measuring stops at the most that is allowed. */
    long comparisons() {
        return maximum - Math.max(remaining, 0);
    }

    private static long countParts(JsonNode value) {
        long parts = 0;
        ArrayDeque<JsonNode> pending = new ArrayDeque<>();
        pending.add(value);
        for (JsonNode next = pending.poll(); next != null; next = pending.poll()) {
            parts += 1 + next.size();
            for (JsonNode child : next) {
                if (child.isContainer()) {
                    pending.add(child);
                }
            }
        }
        return parts;
    }

    private void measure(JsonNode schema, JsonNode value) {
        remaining--;
        for (var field : schema.properties()) {
            if (remaining < 0) {
                return;
            }
            remaining--;
            measure(field.getKey(), field.getValue(), value);
        }
    }

    private void measure(String keyword, JsonNode rule, JsonNode value) {
        switch (keyword) {
            case "$ref" -> measure(resolve(rule.asString("")), value);
            case "allOf", "anyOf", "oneOf", "dependentSchemas" -> measureEach(rule, value);
            case "not", "if", "then", "else" -> measure(rule, value);
            case "items", "contains", "unevaluatedItems" -> measureChildren(rule, value, value.isArray());
            case "additionalProperties", "unevaluatedProperties" -> measureChildren(rule, value, value.isObject());
            case "properties" -> measureProperties(rule, value);
            case "patternProperties" -> measurePatternProperties(rule, value);
            case "propertyNames" -> measureNames(rule, value);
            case "prefixItems" -> measurePrefix(rule, value);
            case "pattern" -> measurePattern(rule.asString(""), value.isString() ? value.stringValue() : "");
            case "enum" -> remaining -= rule.size();
            case "required", "uniqueItems" -> remaining -= rule.size() + value.size();
            default -> {}
        }
    }

    private JsonNode resolve(String target) {
        return resolved.computeIfAbsent(target, ignored -> root.at(JsonPointer.compile(target.substring(1))));
    }

    private void measureEach(JsonNode schemas, JsonNode value) {
        for (JsonNode schema : schemas) {
            if (remaining >= 0) {
                measure(schema, value);
            }
        }
    }

    private void measureChildren(JsonNode schema, JsonNode value, boolean apply) {
        for (JsonNode child : value) {
            if (apply && remaining >= 0) {
                measure(schema, child);
            }
        }
    }

    private void measureProperties(JsonNode schemas, JsonNode value) {
        for (var property : schemas.properties()) {
            remaining--;
            JsonNode child = value.get(property.getKey());
            if (child != null && remaining >= 0) {
                measure(property.getValue(), child);
            }
        }
    }

    private void measurePatternProperties(JsonNode schemas, JsonNode value) {
        for (var pattern : schemas.properties()) {
            for (var property : value.properties()) {
                if (remaining >= 0) {
                    measurePattern(pattern.getKey(), property.getKey());
                    measure(pattern.getValue(), property.getValue());
                }
            }
        }
    }

    private void measureNames(JsonNode schema, JsonNode value) {
        for (var property : value.properties()) {
            if (remaining >= 0) {
                measure(schema, JsonNodeFactory.instance.stringNode(property.getKey()));
            }
        }
    }

    private void measurePrefix(JsonNode schemas, JsonNode value) {
        for (int i = 0; i < Math.min(schemas.size(), value.size()) && remaining >= 0; i++) {
            measure(schemas.get(i), value.get(i));
        }
    }

    private void measurePattern(String pattern, String text) {
        long size = patternStates.computeIfAbsent(pattern, LinearPattern::countStates);
        remaining -= 1 + LinearPattern.searchCost(size, text.length());
    }
}
