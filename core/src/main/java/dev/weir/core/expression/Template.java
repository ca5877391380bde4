package dev.weir.core.expression;

import dev.weir.core.json.CanonicalJson;
import java.util.AbstractList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Literal JSON in which texts may contain {@code ${{ expressions }}}, compiled once.
 *
 * <p>An expression that is the whole text keeps its JSON type; one among other characters becomes text. The result is
 * data and is never searched for expressions again. Two templates are equal if their sources are equal.
 */
public final class Template {
    public static final int ITEMS_FROM_DATA_MAX = 100_000;
    public static final int ITEMS_FROM_RANGE_MAX = LazyRange.SIZE_MAX;

    /** The elements of a list that can be copied in the time of one unit. */
    private static final int ELEMENTS_PER_UNIT = 32;

    private final JsonNode source;
    private final CompiledTemplate shape;

    private Template(JsonNode source) {
        this.source = CanonicalJson.of(source);
        this.shape = CompiledTemplate.of(this.source);
    }

    public static Template of(JsonNode source) {
        return new Template(source);
    }

    public static Template of(String source) {
        return new Template(JsonNodeFactory.instance.stringNode(source));
    }

    /** Returns an empty object, the default of every input and payload. */
    public static Template emptyObject() {
        return new Template(JsonNodeFactory.instance.objectNode());
    }

    /** The JSON as it was written, with expressions not evaluated. */
    public JsonNode source() {
        return source;
    }

    /** True if it contains no expression. */
    public boolean isLiteral() {
        return shape instanceof CompiledTemplate.Literal;
    }

    /** True if the whole value is one expression, so that its type is unknown until it is rendered. */
    public boolean isExpression() {
        return shape instanceof CompiledTemplate.Whole;
    }

    /** The variables that its expressions read. */
    public Set<Variable> variables() {
        return shape.variables();
    }

    /** True if its expressions only name data, so that rendering them again costs no more than reading the result. */
    public boolean isPlain() {
        return shape.isPlain();
    }

    /** The ids of the steps whose results its expressions read. */
    public Set<String> steps() {
        return shape.steps();
    }

    /** Renders a template without secrets. For one with secrets, use {@link #renderKeepingSecrets}. */
    public JsonNode render(Scope scope) {
        RenderedTemplate rendered = renderKeepingSecrets(scope);
        if (!rendered.late().isEmpty()) {
            throw new RenderFailed(scope, "expected no secrets here, found one in " + source);
        }
        return rendered.value();
    }

    /** Renders the template to a form that can be stored, without the values of secrets. */
    public RenderedTemplate renderKeepingSecrets(Scope scope) {
        return new TemplateRenderer(scope).render(shape);
    }

    /** Evaluates a condition. */
    public boolean test(Scope scope) {
        JsonNode value = render(scope);
        if (!value.isBoolean()) {
            throw new RenderFailed(scope, "expected true or false from " + source + ", found " + kind(value));
        }
        return value.booleanValue();
    }

    /** Renders a key or note as text. A number or boolean becomes text. */
    public String text(Scope scope) {
        JsonNode value = render(scope);
        if (value.isContainer() || value.isNull()) {
            throw new RenderFailed(scope, "expected text from " + source + ", found " + kind(value));
        }
        return value.isString() ? value.stringValue() : value.toString();
    }

    /** Returns the elements of a fan-out. The numbers of {@code range(n)} are computed and not stored. */
    public List<JsonNode> items(Scope scope) {
        if (!(shape instanceof CompiledTemplate.Whole whole) || variables().contains(Variable.SECRETS)) {
            return elements(scope, render(scope));
        }
        return switch (whole.expression().evaluate(scope, scope.meter())) {
            case LazyRange range -> numbers(range.size());
            case JsonView view -> elements(scope, view.node());
            case Object value -> elements(scope, new ExpressionResult(scope).json(whole.expression(), value));
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
        scope.count(value.size() / ELEMENTS_PER_UNIT);
        return List.copyOf(value.values());
    }

    private static List<JsonNode> numbers(int size) {
        return new AbstractList<>() {
            @Override
            public JsonNode get(int index) {
                return ExpressionResult.whole(index);
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
