package dev.weir.core.expression;

import dev.cel.common.values.NullValue;
import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.RandomAccess;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** JSON as a CEL value. Nothing is copied, and each element that is read is charged to the budget. */
sealed interface JsonView {
    JsonNode node();

    static Object of(JsonNode node, EvaluationBudget budget) {
        return switch (node.getNodeType()) {
            case OBJECT -> new ObjectView(node, budget);
            case ARRAY -> new ListView(node, budget);
            case STRING -> budget.chargeText(node.stringValue());
            case BOOLEAN -> node.booleanValue();
            case NUMBER -> number(node);
            case NULL, MISSING, BINARY, POJO -> NullValue.NULL_VALUE;
        };
    }

    private static Object number(JsonNode node) {
        if (node.isIntegralNumber() && node.canConvertToLong()) {
            return node.longValue();
        }
        return node.doubleValue();
    }

    /** An object. */
    final class ObjectView extends AbstractMap<String, Object> implements JsonView {
        private final JsonNode node;
        private final EvaluationBudget budget;

        private ObjectView(JsonNode node, EvaluationBudget budget) {
            this.node = node;
            this.budget = budget;
        }

        @Override
        public JsonNode node() {
            return node;
        }

        @Override
        public boolean containsKey(@Nullable Object key) {
            return key instanceof String name && node.has(name);
        }

        @Override
        public @Nullable Object get(@Nullable Object key) {
            budget.spend(1);
            JsonNode value = key instanceof String name ? node.get(name) : null;
            return value == null ? null : of(value, budget);
        }

        @Override
        public int size() {
            return node.size();
        }

        @Override
        public Set<Map.Entry<String, Object>> entrySet() {
            return new AbstractSet<>() {
                @Override
                public Iterator<Map.Entry<String, Object>> iterator() {
                    return node.properties().stream()
                            .map(ObjectView.this::entry)
                            .iterator();
                }

                @Override
                public int size() {
                    return node.size();
                }
            };
        }

        private Map.Entry<String, Object> entry(Map.Entry<String, JsonNode> field) {
            budget.spend(1);
            return Map.entry(budget.chargeText(field.getKey()), of(field.getValue(), budget));
        }
    }

    /** A list. */
    final class ListView extends AbstractList<Object> implements JsonView, RandomAccess {
        private final JsonNode node;
        private final EvaluationBudget budget;

        private ListView(JsonNode node, EvaluationBudget budget) {
            this.node = node;
            this.budget = budget;
        }

        @Override
        public JsonNode node() {
            return node;
        }

        @Override
        public Object get(int index) {
            budget.spend(1);
            JsonNode value = node.get(index);
            if (value == null) {
                throw new IndexOutOfBoundsException(index);
            }
            return of(value, budget);
        }

        @Override
        public int size() {
            return node.size();
        }
    }
}
