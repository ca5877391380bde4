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
    private long writtenCharacters;

    ExpressionResult(Scope scope) {
        this.scope = scope;
    }

    JsonNode toJson(Expression expression, Object value) {
        return switch (value) {
            case JsonView view -> measure(expression, view.node());
            case String text -> measure(expression, NODES.stringNode(text));
            case Boolean bool -> measure(expression, NODES.booleanNode(bool));
            case Long number -> measure(expression, integerNode(number));
            case UnsignedLong number -> measure(expression, NODES.numberNode(number.bigIntegerValue()));
            case Double number -> doubleNode(expression, number);
            case NullValue ignored -> measure(expression, NODES.nullNode());
            case Instant time -> measure(expression, NODES.stringNode(time.toString()));
            case Duration time -> measure(expression, NODES.stringNode(time.toString()));
            case LazyRange range -> rangeArray(expression, range.size());
            case List<?> list -> array(expression, list);
            case Map<?, ?> map -> object(expression, map);
            default -> throw new RenderFailed(scope, expression.text(), "JSON cannot represent its value");
        };
    }

    /** Returns a value as part of a longer text. */
    String toText(Expression expression, Object value) {
        JsonNode json = toJson(expression, value);
        if (json.isNull()) {
            throw new RenderFailed(scope, expression.text(), "expected a value to insert into the text, found null");
        }
        return json.isString() ? json.stringValue() : json.toString();
    }

    static JsonNode integerNode(long number) {
        return number == (int) number ? NODES.numberNode((int) number) : NODES.numberNode(number);
    }

    private JsonNode doubleNode(Expression expression, Double number) {
        if (number.isNaN() || number.isInfinite()) {
            throw new RenderFailed(scope, expression.text(), "JSON cannot represent " + number);
        }
        return measure(expression, NODES.numberNode(number.doubleValue()));
    }

    private JsonNode array(Expression expression, List<?> list) {
        ArrayNode array = NODES.arrayNode();
        for (Object element : list) {
            array.add(toJson(expression, element));
        }
        spendCharacters(expression, 2);
        return array;
    }

    private JsonNode rangeArray(Expression expression, int size) {
        ArrayNode array = NODES.arrayNode();
        for (int i = 0; i < size; i++) {
            array.add(measure(expression, integerNode(i)));
        }
        spendCharacters(expression, 2);
        return array;
    }

    private JsonNode object(Expression expression, Map<?, ?> map) {
        ObjectNode object = NODES.objectNode();
        map.forEach((key, value) -> {
            if (!(key instanceof String name)) {
                throw new RenderFailed(scope, expression.text(), "expected strings as keys of an object, found " + key);
            }
            spendCharacters(expression, name.length() + 4L);
            object.set(name, toJson(expression, value));
        });
        spendCharacters(expression, 2);
        return object;
    }

    private JsonNode measure(Expression expression, JsonNode node) {
        switch (node.getNodeType()) {
            case OBJECT -> {
                spendCharacters(expression, 2);
                for (var field : node.properties()) {
                    spendCharacters(expression, field.getKey().length() + 4L);
                    measure(expression, field.getValue());
                }
            }
            case ARRAY -> {
                spendCharacters(expression, 2);
                for (JsonNode element : node) {
                    measure(expression, element);
                }
            }
            case STRING -> spendCharacters(expression, node.stringValue().length() + 3L);
            default -> spendCharacters(expression, 6);
        }
        return node;
    }

    private void spendCharacters(Expression expression, long characters) {
        long before = writtenCharacters;
        writtenCharacters += characters;
        spendUnits(expression, writtenCharacters / CHARACTERS_PER_UNIT - before / CHARACTERS_PER_UNIT);
        if (writtenCharacters > CHARS_MAX) {
            String detail = "expected at most " + CHARS_MAX + " characters in total, found more";
            throw new RenderFailed(scope, expression.text(), detail);
        }
    }

    private void spendUnits(Expression expression, long units) {
        try {
            scope.budget().spend(units);
        } catch (EvaluationBudget.BudgetExceeded e) {
            throw new RenderFailed(scope, expression.text(), String.valueOf(e.getMessage()));
        }
    }
}
