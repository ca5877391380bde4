package dev.weir.core.expression;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.values.NullValue;
import dev.weir.core.json.CompactNodes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Converts values of expressions back to JSON, up to a total size. */
final class ExpressionResult {
    static final int CHARS_MAX = 256 * 1024;
    /** The characters of a result that can be measured, and later written to its row, in the time of one unit. */
    private static final int CHARACTERS_PER_UNIT = 8;

    private static final JsonNodeFactory NODES = CompactNodes.COMPACT;

    private final Scope scope;
    private long written;

    ExpressionResult(Scope scope) {
        this.scope = scope;
    }

    JsonNode json(Expression expression, Object value) {
        return switch (value) {
            case JsonView view -> measured(expression, view.node());
            case String text -> measured(expression, NODES.stringNode(text));
            case Boolean truth -> measured(expression, NODES.booleanNode(truth));
            case Long number -> measured(expression, whole(number));
            case UnsignedLong number -> measured(expression, NODES.numberNode(number.bigIntegerValue()));
            case Double number -> fraction(expression, number);
            case NullValue ignored -> measured(expression, NODES.nullNode());
            case Instant time -> measured(expression, NODES.stringNode(time.toString()));
            case Duration time -> measured(expression, NODES.stringNode(time.toString()));
            case LazyRange range -> numbers(expression, range.size());
            case List<?> list -> array(expression, list);
            case Map<?, ?> map -> object(expression, map);
            default -> throw new RenderFailed(scope, expression.text(), "JSON cannot represent its value");
        };
    }

    /** Returns a value as part of a longer text. */
    String text(Expression expression, Object value) {
        JsonNode json = json(expression, value);
        if (json.isNull()) {
            throw new RenderFailed(scope, expression.text(), "expected a value to insert into the text, found null");
        }
        return json.isString() ? json.stringValue() : json.toString();
    }

    static JsonNode whole(long number) {
        return number == (int) number ? NODES.numberNode((int) number) : NODES.numberNode(number);
    }

    private JsonNode fraction(Expression expression, Double number) {
        if (number.isNaN() || number.isInfinite()) {
            throw new RenderFailed(scope, expression.text(), "JSON cannot represent " + number);
        }
        return measured(expression, NODES.numberNode(number.doubleValue()));
    }

    private JsonNode array(Expression expression, List<?> list) {
        ArrayNode array = NODES.arrayNode();
        for (Object element : list) {
            array.add(json(expression, element));
        }
        spend(expression, 2);
        return array;
    }

    private JsonNode numbers(Expression expression, int size) {
        ArrayNode array = NODES.arrayNode();
        for (int i = 0; i < size; i++) {
            array.add(measured(expression, whole(i)));
        }
        spend(expression, 2);
        return array;
    }

    private JsonNode object(Expression expression, Map<?, ?> map) {
        ObjectNode object = NODES.objectNode();
        map.forEach((key, value) -> {
            if (!(key instanceof String name)) {
                throw new RenderFailed(scope, expression.text(), "expected strings as keys of an object, found " + key);
            }
            spend(expression, name.length() + 4L);
            object.set(name, json(expression, value));
        });
        spend(expression, 2);
        return object;
    }

    private JsonNode measured(Expression expression, JsonNode node) {
        switch (node.getNodeType()) {
            case OBJECT -> {
                spend(expression, 2);
                for (var field : node.properties()) {
                    spend(expression, field.getKey().length() + 4L);
                    measured(expression, field.getValue());
                }
            }
            case ARRAY -> {
                spend(expression, 2);
                for (JsonNode element : node) {
                    measured(expression, element);
                }
            }
            case STRING -> spend(expression, node.stringValue().length() + 3L);
            default -> spend(expression, 6);
        }
        return node;
    }

    private void spend(Expression expression, long characters) {
        long before = written;
        written += characters;
        charge(expression, written / CHARACTERS_PER_UNIT - before / CHARACTERS_PER_UNIT);
        if (written > CHARS_MAX) {
            String detail = "expected at most " + CHARS_MAX + " characters in total, found more";
            throw new RenderFailed(scope, expression.text(), detail);
        }
    }

    private void charge(Expression expression, long units) {
        try {
            scope.meter().spend(units);
        } catch (EvaluationBudget.OverBudget e) {
            throw new RenderFailed(scope, expression.text(), String.valueOf(e.getMessage()));
        }
    }
}
