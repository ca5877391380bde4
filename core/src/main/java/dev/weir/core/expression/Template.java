package dev.weir.core.expression;

import dev.weir.core.json.CanonicalJson;
import java.util.AbstractList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Literal JSON in which texts may hold {@code ${{ expressions }}}, compiled once.
 *
 * <p>An expression that is the whole text keeps its JSON type; one among other characters becomes text. What comes out
 * is data: it is never looked at for expressions again. Two templates are equal when their sources are.
 */
public final class Template {
    public static final int ITEMS_FROM_DATA_MAX = 100_000;
    public static final int ITEMS_FROM_RANGE_MAX = Range.SIZE_MAX;

    private final JsonNode source;
    private final Shape shape;

    private Template(JsonNode source) {
        this.source = CanonicalJson.of(source);
        this.shape = Shape.of(this.source);
    }

    public static Template of(JsonNode source) {
        return new Template(source);
    }

    public static Template of(String source) {
        return new Template(JsonNodeFactory.instance.stringNode(source));
    }

    /** An object without fields: the default of everything that is handed on. */
    public static Template emptyObject() {
        return new Template(JsonNodeFactory.instance.objectNode());
    }

    /** The JSON as it was written, expressions unevaluated. */
    public JsonNode source() {
        return source;
    }

    /** Whether it holds no expression. */
    public boolean isLiteral() {
        return shape instanceof Shape.Literal;
    }

    /** Whether the whole value is one expression, so that its type is not known before it is rendered. */
    public boolean isExpression() {
        return shape instanceof Shape.Whole;
    }

    /** Everything that its expressions read. */
    public Set<Variable> variables() {
        return shape.variables();
    }

    /** The ids of the steps whose results its expressions read. */
    public Set<String> steps() {
        return shape.steps();
    }

    /** The value; a template that holds secrets is rendered by {@link #renderKeepingSecrets}. */
    public JsonNode render(Scope scope) {
        Rendered rendered = renderKeepingSecrets(scope);
        if (!rendered.late().isEmpty()) {
            throw new RenderFailed(scope, "expected no secrets here, found one in " + source);
        }
        return rendered.value();
    }

    /** The value as far as it may be stored. */
    public Rendered renderKeepingSecrets(Scope scope) {
        return new Rendering(scope).render(shape);
    }

    /** The value of a condition. */
    public boolean test(Scope scope) {
        JsonNode value = render(scope);
        if (!value.isBoolean()) {
            throw new RenderFailed(scope, "expected true or false from " + source + ", found " + kind(value));
        }
        return value.booleanValue();
    }

    /** The value of a key or note: text; a number or a truth value becomes text. */
    public String text(Scope scope) {
        JsonNode value = render(scope);
        if (value.isContainer() || value.isNull()) {
            throw new RenderFailed(scope, "expected text from " + source + ", found " + kind(value));
        }
        return value.isString() ? value.stringValue() : value.toString();
    }

    /** The elements of a fan-out; {@code range(n)} is counted and not stored. */
    public List<JsonNode> items(Scope scope) {
        if (!(shape instanceof Shape.Whole whole) || variables().contains(Variable.SECRETS)) {
            return elements(scope, render(scope));
        }
        return switch (whole.expression().evaluate(scope, scope.meter())) {
            case Range range -> numbers(range.size());
            case JsonView view -> elements(scope, view.node());
            case Object value -> elements(scope, new Output(scope).json(whole.expression(), value));
        };
    }

    private List<JsonNode> elements(Scope scope, JsonNode value) {
        if (!value.isArray()) {
            throw new RenderFailed(scope, "expected a list from " + source + ", found " + kind(value));
        }
        if (value.size() > ITEMS_FROM_DATA_MAX) {
            String expected = "expected at most " + ITEMS_FROM_DATA_MAX + " items from " + source;
            throw new RenderFailed(scope, expected + ", found " + value.size());
        }
        return List.copyOf(value.values());
    }

    private static List<JsonNode> numbers(int size) {
        return new AbstractList<>() {
            @Override
            public JsonNode get(int index) {
                return Output.whole(index);
            }

            @Override
            public int size() {
                return size;
            }
        };
    }

    private static String kind(JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT -> "an object";
            case ARRAY -> "a list";
            case STRING -> "text";
            case NUMBER -> "a number";
            case BOOLEAN -> value.toString();
            case NULL, MISSING, BINARY, POJO -> "null";
        };
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Template that && source.equals(that.source);
    }

    @Override
    public int hashCode() {
        return source.hashCode();
    }

    @Override
    public String toString() {
        return source.toString();
    }
}
