package dev.weir.core.expression;

import dev.weir.core.json.CanonicalJson;
import dev.weir.core.json.CompactNodes;
import java.util.AbstractList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Literal JSON in which texts may contain {@code ${{ expressions }}}, compiled once: at once if the template is new, and
 * at its first use if it was stored.
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
    private final CompiledTemplate compiled;
    private final boolean stored;
    /** True once all expressions are compiled. */
    private volatile boolean ready;

    private Template(JsonNode source, CompiledTemplate compiled, boolean stored) {
        this.source = source;
        this.compiled = compiled;
        this.stored = stored;
        this.ready = !stored;
    }

    /** Compiles a template. Throws {@link InvalidExpression} if one of its expressions is invalid. */
    public static Template of(JsonNode source) {
        JsonNode canonical = CanonicalJson.of(source);
        return new Template(canonical, CompiledTemplate.of(canonical, Expression::of), false);
    }

    public static Template of(String source) {
        return of(JsonNodeFactory.instance.stringNode(source));
    }

    /**
     * Returns a template that renders to exactly this text. Characters that look like an expression are not evaluated,
     * also after the template was stored and read back.
     */
    public static Template ofText(String text) {
        return of(text.contains(TemplateSegments.OPEN) ? TextLiteral.toExpression(text) : text);
    }

    /** Returns a template that was valid when it was stored. Its expressions are compiled when they are used. */
    public static Template fromStored(JsonNode source) {
        JsonNode canonical = CanonicalJson.of(source);
        return new Template(canonical, CompiledTemplate.of(canonical, Expression::fromStored), true);
    }

    /** Returns an object with these fields, whose expressions are not compiled again. */
    public static Template ofFields(SortedMap<String, Template> fields) {
        ObjectNode object = CompactNodes.COMPACT.objectNode();
        Map<String, CompiledTemplate> compiledFields = new LinkedHashMap<>();
        fields.forEach((name, template) -> {
            object.set(name, template.source);
            compiledFields.put(name, template.compiled);
        });
        boolean stored = fields.values().stream().anyMatch(Template::isStored);
        return new Template(object, CompiledTemplate.ofFields(object, compiledFields), stored);
    }

    /** Returns an empty object, the default of every input and payload. */
    public static Template emptyObject() {
        return of(JsonNodeFactory.instance.objectNode());
    }

    /** The JSON as it was written, with expressions not evaluated. */
    public JsonNode source() {
        return source;
    }

    /** True if it contains no expression. */
    public boolean isLiteral() {
        return compiled instanceof CompiledTemplate.Literal;
    }

    /** True if the whole value is one expression, so that its type is unknown until it is rendered. */
    public boolean isExpression() {
        return compiled instanceof CompiledTemplate.SingleExpression;
    }

    /** True if it was checked when it was stored, and need not be checked again. */
    public boolean isStored() {
        return stored;
    }

    /** The number of its expressions. */
    public int expressionCount() {
        return compiled.expressions().size();
    }

    /**
     * Compiles the expressions that were not compiled yet, one by one, and charges for them.
     *
     * @param shouldStop tells if the remaining expressions must wait
     * @return true once all are compiled
     */
    public boolean makeReady(UnitCounter counter, BooleanSupplier shouldStop) {
        if (ready) {
            return true;
        }
        for (Expression expression : compiled.expressions()) {
            if (!expression.isReady() && shouldStop.getAsBoolean()) {
                return false;
            }
            try {
                expression.makeReady(counter);
            } catch (InvalidExpression e) {
                // This version of Weir refuses it. The step that uses it fails and says why.
            }
        }
        ready = true;
        return true;
    }

    /** The variables that its expressions read. This compiles them. */
    public Set<Variable> variables() {
        return compiled.variables();
    }

    /** The variables that its expressions mention: those that they read, and names that loops bind. */
    public Set<Variable> mentionedVariables() {
        return compiled.mentionedVariables();
    }

    /** True if its expressions only name data, so that rendering them again costs no more than reading the result. */
    public boolean hasOnlyPaths() {
        return compiled.hasOnlyPaths();
    }

    /** The ids of the steps whose results its expressions read. This compiles them. */
    public Set<String> steps() {
        return compiled.steps();
    }

    /** Renders a template without secrets. For one with secrets, use {@link #renderKeepingSecrets}. */
    public JsonNode render(Scope scope) {
        RenderedTemplate rendered = renderKeepingSecrets(scope);
        if (!rendered.secretTexts().isEmpty()) {
            throw new RenderFailed(scope, "expected no secrets here, found one in " + source);
        }
        return rendered.value();
    }

    /** Renders the template to a form that can be stored, without the values of secrets. */
    public RenderedTemplate renderKeepingSecrets(Scope scope) {
        return new TemplateRenderer(scope).render(compiled);
    }

    /** Evaluates a condition. */
    public boolean evaluateCondition(Scope scope) {
        JsonNode value = render(scope);
        if (!value.isBoolean()) {
            throw new RenderFailed(scope, "expected true or false from " + source + ", found " + describeType(value));
        }
        return value.booleanValue();
    }

    /** Renders a key or note as text. A number or boolean becomes text. */
    public String renderText(Scope scope) {
        JsonNode value = render(scope);
        if (value.isContainer() || value.isNull()) {
            throw new RenderFailed(scope, "expected text from " + source + ", found " + describeType(value));
        }
        return value.isString() ? value.stringValue() : value.toString();
    }

    /** Returns the elements of a fan-out. The numbers of {@code range(n)} are computed and not stored. */
    public List<JsonNode> renderItems(Scope scope) {
        if (!(compiled instanceof CompiledTemplate.SingleExpression single)
                || mentionedVariables().contains(Variable.SECRETS)) {
            return toItems(scope, render(scope));
        }
        return switch (single.expression().evaluate(scope, scope.budget())) {
            case LazyRange range -> rangeItems(range.size());
            case JsonView view -> toItems(scope, view.node());
            case Object value -> toItems(scope, new ExpressionResult(scope).toJson(single.expression(), value));
        };
    }

    private List<JsonNode> toItems(Scope scope, JsonNode value) {
        if (!value.isArray()) {
            throw new RenderFailed(scope, "expected a list from " + source + ", found " + describeType(value));
        }
        if (value.size() > ITEMS_FROM_DATA_MAX) {
            String expected = "expected at most " + ITEMS_FROM_DATA_MAX + " items from " + source;
            throw new RenderFailed(scope, expected + ", found " + value.size());
        }
        scope.addUnits(value.size() / ELEMENTS_PER_UNIT);
        return List.copyOf(value.values());
    }

    private static List<JsonNode> rangeItems(int size) {
        return new AbstractList<>() {
            @Override
            public JsonNode get(int index) {
                return ExpressionResult.integerNode(index);
            }

            @Override
            public int size() {
                return size;
            }
        };
    }

    private static String describeType(JsonNode value) {
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
