package dev.weir.core.expression;

import dev.weir.core.json.JsonPointers;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** The compiled form of a template. Parts without expressions are literals. */
sealed interface CompiledTemplate {
    record Literal(JsonNode value) implements CompiledTemplate {}

    /** A value that consists of one expression. */
    record Whole(Expression expression) implements CompiledTemplate {}

    record Text(List<TemplateSegments.Segment> segments) implements CompiledTemplate {}

    record Array(List<CompiledTemplate> elements) implements CompiledTemplate {}

    record Fields(Map<String, CompiledTemplate> fields) implements CompiledTemplate {}

    static CompiledTemplate of(JsonNode source) {
        if (source.isString()) {
            return ofText(source);
        }
        if (source.isObject()) {
            return ofObject(source);
        }
        return source.isArray() ? ofArray(source) : new Literal(source);
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

    default boolean isPlain() {
        return expressions().stream()
                .allMatch(expression -> expression.references().arePlain());
    }

    private List<Expression> expressions() {
        List<Expression> all = new ArrayList<>();
        switch (this) {
            case Literal ignored -> {}
            case Whole whole -> all.add(whole.expression);
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

    private static CompiledTemplate ofText(JsonNode source) {
        if (!source.stringValue().contains(TemplateSegments.OPEN)) {
            return new Literal(source);
        }
        List<TemplateSegments.Segment> segments = TemplateSegments.of(source.stringValue());
        // A YAML block scalar ends with a line break that its author does not mean.
        List<TemplateSegments.Segment> meant = segments.stream()
                .filter(segment -> !(segment instanceof TemplateSegments.Literal literal && literal.isLineBreak()))
                .toList();
        return meant.size() == 1 && meant.getFirst() instanceof TemplateSegments.Code code
                ? new Whole(code.expression())
                : new Text(segments);
    }

    private static CompiledTemplate ofArray(JsonNode source) {
        List<CompiledTemplate> elements = new ArrayList<>();
        for (int i = 0; i < source.size(); i++) {
            elements.add(under("/" + i, source.get(i)));
        }
        return elements.stream().allMatch(Literal.class::isInstance) ? new Literal(source) : new Array(elements);
    }

    private static CompiledTemplate ofObject(JsonNode source) {
        Map<String, CompiledTemplate> fields = new LinkedHashMap<>();
        for (var field : source.properties()) {
            String path = "/" + JsonPointers.escape(field.getKey());
            if (field.getKey().contains(TemplateSegments.OPEN)) {
                throw new InvalidExpression(path, 0, "expected expressions in values only, found one in a name");
            }
            fields.put(field.getKey(), under(path, field.getValue()));
        }
        return fields.values().stream().allMatch(Literal.class::isInstance) ? new Literal(source) : new Fields(fields);
    }

    private static CompiledTemplate under(String path, JsonNode source) {
        try {
            return of(source);
        } catch (InvalidExpression e) {
            throw e.under(path);
        }
    }
}
