package dev.weir.core.expression;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** A template as it was compiled: literal where nothing is to be evaluated. */
sealed interface Shape {
    record Literal(JsonNode value) implements Shape {}

    /** One expression is the whole value. */
    record Whole(Expression expression) implements Shape {}

    record Text(List<Segments.Segment> segments) implements Shape {}

    record Array(List<Shape> elements) implements Shape {}

    record Fields(Map<String, Shape> fields) implements Shape {}

    static Shape of(JsonNode source) {
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

    private List<Expression> expressions() {
        List<Expression> all = new ArrayList<>();
        switch (this) {
            case Literal ignored -> {}
            case Whole whole -> all.add(whole.expression);
            case Text text ->
                text.segments.forEach(segment -> {
                    if (segment instanceof Segments.Code code) {
                        all.add(code.expression());
                    }
                });
            case Array array -> array.elements.forEach(element -> all.addAll(element.expressions()));
            case Fields object -> object.fields.values().forEach(field -> all.addAll(field.expressions()));
        }
        return all;
    }

    private static Shape ofText(JsonNode source) {
        if (!source.stringValue().contains(Segments.OPEN)) {
            return new Literal(source);
        }
        List<Segments.Segment> segments = Segments.of(source.stringValue());
        // A block scalar ends with a line break that nobody means.
        List<Segments.Segment> meant = segments.stream()
                .filter(segment -> !(segment instanceof Segments.Literal literal && literal.isLineBreak()))
                .toList();
        return meant.size() == 1 && meant.getFirst() instanceof Segments.Code code
                ? new Whole(code.expression())
                : new Text(segments);
    }

    private static Shape ofArray(JsonNode source) {
        List<Shape> elements = new ArrayList<>();
        for (int i = 0; i < source.size(); i++) {
            elements.add(under("/" + i, source.get(i)));
        }
        return elements.stream().allMatch(Literal.class::isInstance) ? new Literal(source) : new Array(elements);
    }

    private static Shape ofObject(JsonNode source) {
        Map<String, Shape> fields = new LinkedHashMap<>();
        for (var field : source.properties()) {
            String path = "/" + field.getKey().replace("~", "~0").replace("/", "~1");
            if (field.getKey().contains(Segments.OPEN)) {
                throw new InvalidExpression(path, 0, "expected expressions in values only, found one in a name");
            }
            fields.put(field.getKey(), under(path, field.getValue()));
        }
        return fields.values().stream().allMatch(Literal.class::isInstance) ? new Literal(source) : new Fields(fields);
    }

    private static Shape under(String path, JsonNode source) {
        try {
            return of(source);
        } catch (InvalidExpression e) {
            throw e.under(path);
        }
    }
}
