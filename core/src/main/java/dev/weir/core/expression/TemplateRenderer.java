package dev.weir.core.expression;

import dev.weir.core.json.CompactNodes;
import dev.weir.core.json.JsonPointers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Renders a template once. Collects the texts whose secrets are inserted later. */
final class TemplateRenderer {
    private static final JsonNodeFactory NODES = CompactNodes.COMPACT;

    private final Scope scope;
    private final EvaluationBudget meter;
    private final ExpressionResult output;
    private final List<RenderedTemplate.Late> late = new ArrayList<>();

    TemplateRenderer(Scope scope) {
        this.scope = scope;
        this.meter = scope.meter();
        this.output = new ExpressionResult(scope);
    }

    RenderedTemplate render(CompiledTemplate shape) {
        return new RenderedTemplate(render(shape, ""), late);
    }

    private JsonNode render(CompiledTemplate shape, String path) {
        return switch (shape) {
            case CompiledTemplate.Literal literal -> literal.value();
            case CompiledTemplate.Whole whole -> whole(whole.expression(), path);
            case CompiledTemplate.Text text -> text(text.segments(), path);
            case CompiledTemplate.Array array -> {
                ArrayNode rendered = NODES.arrayNode();
                for (CompiledTemplate element : array.elements()) {
                    rendered.add(render(element, path + "/" + rendered.size()));
                }
                yield rendered;
            }
            case CompiledTemplate.Fields object -> {
                ObjectNode rendered = NODES.objectNode();
                for (Map.Entry<String, CompiledTemplate> field : object.fields().entrySet()) {
                    String name = JsonPointers.escape(field.getKey());
                    rendered.set(field.getKey(), render(field.getValue(), path + "/" + name));
                }
                yield rendered;
            }
        };
    }

    private JsonNode whole(Expression expression, String path) {
        Optional<String> secret = expression.secret(scope);
        if (secret.isPresent()) {
            return later(path, List.of(new RenderedTemplate.Part(true, secret.get())));
        }
        return output.json(expression, expression.evaluate(scope, meter));
    }

    private JsonNode text(List<TemplateSegments.Segment> segments, String path) {
        List<RenderedTemplate.Part> parts = new ArrayList<>();
        for (TemplateSegments.Segment segment : segments) {
            parts.add(
                    switch (segment) {
                        case TemplateSegments.Literal literal -> new RenderedTemplate.Part(false, literal.text());
                        case TemplateSegments.Code code -> part(code.expression());
                    });
        }
        if (parts.stream().anyMatch(RenderedTemplate.Part::secret)) {
            return later(path, parts);
        }
        var joined = new StringBuilder();
        parts.forEach(part -> joined.append(part.text()));
        return NODES.stringNode(joined.toString());
    }

    private RenderedTemplate.Part part(Expression expression) {
        return expression
                .secret(scope)
                .map(name -> new RenderedTemplate.Part(true, name))
                .orElseGet(() ->
                        new RenderedTemplate.Part(false, output.text(expression, expression.evaluate(scope, meter))));
    }

    private JsonNode later(String path, List<RenderedTemplate.Part> parts) {
        late.add(new RenderedTemplate.Late(path, parts));
        return NODES.nullNode();
    }
}
