package dev.weir.core.expression;

import dev.weir.core.json.JsonPointers;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/** The compiled form of a template. Parts without expressions are literals. */
sealed interface CompiledTemplate {
    record Literal(JsonNode value) implements CompiledTemplate {}

    /** A value that consists of one expression. */
    record SingleExpression(Expression expression) implements CompiledTemplate {}

    record Text(List<TemplateSegments.Segment> segments) implements CompiledTemplate {}

    record Array(List<CompiledTemplate> elements) implements CompiledTemplate {}

    record Fields(Map<String, CompiledTemplate> fields) implements CompiledTemplate {}

    /**
     * Finds the expressions of a template.
     *
     * @param expressions creates an expression from its text
     */
    static CompiledTemplate of(JsonNode source, Function<String, Expression> expressions) {
        if (source.isString()) {
            return ofText(source, expressions);
        }
        if (source.isObject()) {
            return ofObject(source, expressions);
        }
        return source.isArray() ? ofArray(source, expressions) : new Literal(source);
    }

    /** Puts templates together to an object. */
    static CompiledTemplate ofFields(JsonNode source, Map<String, CompiledTemplate> fields) {
        return fields.values().stream().allMatch(Literal.class::isInstance) ? new Literal(source) : new Fields(fields);
    }

    /** The variables that its expressions mention, found without compiling them. */
    default Set<Variable> mentionedVariables() {
        Set<Variable> all = new HashSet<>();
        expressions().forEach(expression -> all.addAll(expression.mentionedVariables()));
        return Set.copyOf(all);
    }

    default Set<Variable> variables() {
        Set<Variable> all = new HashSet<>();
        expressions().forEach(expression -> all.addAll(expression.references().variables()));
        return Set.copyOf(all);
    }

    default Set<String> steps() {
        Set<String> all = new HashSet<>();
        expressions().forEach(expression -> all.addAll(expression.references().steps()));
        return Set.copyOf(all);
    }

    default boolean hasOnlyPaths() {
        return expressions().stream().allMatch(Expression::isPath);
    }

    default List<Expression> expressions() {
        List<Expression> all = new ArrayList<>();
        switch (this) {
            case Literal ignored -> {}
            case SingleExpression single -> all.add(single.expression);
            case Text text ->
                text.segments.forEach(segment -> {
                    if (segment instanceof TemplateSegments.Code code) {
                        all.add(code.expression());
                    }
                });
            case Array array -> array.elements.forEach(element -> all.addAll(element.expressions()));
            case Fields object -> object.fields.values().forEach(field -> all.addAll(field.expressions()));
        }
        return all;
    }

    private static CompiledTemplate ofText(JsonNode source, Function<String, Expression> expressions) {
        if (!source.stringValue().contains(TemplateSegments.OPEN)) {
            return new Literal(source);
        }
        List<TemplateSegments.Segment> segments = TemplateSegments.of(source.stringValue(), expressions);
        // A YAML block scalar ends with a line break that its author does not mean.
        List<TemplateSegments.Segment> significant = segments.stream()
                .filter(segment -> !(segment instanceof TemplateSegments.Literal literal && literal.isLineBreak()))
                .toList();
        return significant.size() == 1 && significant.getFirst() instanceof TemplateSegments.Code code
                ? new SingleExpression(code.expression())
                : new Text(segments);
    }

    private static CompiledTemplate ofArray(JsonNode source, Function<String, Expression> expressions) {
        List<CompiledTemplate> elements = new ArrayList<>();
        for (int i = 0; i < source.size(); i++) {
            elements.add(compileChild("/" + i, source.get(i), expressions));
        }
        return elements.stream().allMatch(Literal.class::isInstance) ? new Literal(source) : new Array(elements);
    }

    private static CompiledTemplate ofObject(JsonNode source, Function<String, Expression> expressions) {
        Map<String, CompiledTemplate> fields = new LinkedHashMap<>();
        for (var field : source.properties()) {
            String path = "/" + JsonPointers.escape(field.getKey());
            if (field.getKey().contains(TemplateSegments.OPEN)) {
                throw new InvalidExpression(path, 0, "expected expressions in values only, found one in a name");
            }
            fields.put(field.getKey(), compileChild(path, field.getValue(), expressions));
        }
        return ofFields(source, fields);
    }

    private static CompiledTemplate compileChild(
            String path, JsonNode source, Function<String, Expression> expressions) {
        try {
            return of(source, expressions);
        } catch (InvalidExpression e) {
            throw e.withPathPrefix(path);
        }
    }
}
