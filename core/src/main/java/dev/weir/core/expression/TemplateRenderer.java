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
    private final EvaluationBudget budget;
    private final ExpressionResult output;
    private final List<RenderedTemplate.SecretText> secretTexts = new ArrayList<>();

    TemplateRenderer(Scope scope) {
        this.scope = scope;
        this.budget = scope.budget();
        this.output = new ExpressionResult(scope);
    }

    RenderedTemplate render(CompiledTemplate template) {
        return new RenderedTemplate(render(template, ""), secretTexts);
    }

    private JsonNode render(CompiledTemplate template, String path) {
        return switch (template) {
            case CompiledTemplate.Literal literal -> literal.value();
            case CompiledTemplate.SingleExpression single -> renderExpression(single.expression(), path);
            case CompiledTemplate.Text text -> renderText(text.segments(), path);
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

    private JsonNode renderExpression(Expression expression, String path) {
        Optional<String> secret = expression.secret(scope);
        if (secret.isPresent()) {
            return deferSecretText(path, List.of(new RenderedTemplate.Part(true, secret.get())));
        }
        return output.toJson(expression, expression.evaluate(scope, budget));
    }

    private JsonNode renderText(List<TemplateSegments.Segment> segments, String path) {
        List<RenderedTemplate.Part> parts = new ArrayList<>();
        for (TemplateSegments.Segment segment : segments) {
            parts.add(
                    switch (segment) {
                        case TemplateSegments.Literal literal -> new RenderedTemplate.Part(false, literal.text());
                        case TemplateSegments.Code code -> renderPart(code.expression());
                    });
        }
        if (parts.stream().anyMatch(RenderedTemplate.Part::secret)) {
            return deferSecretText(path, parts);
        }
        var joined = new StringBuilder();
        parts.forEach(part -> joined.append(part.text()));
        return NODES.stringNode(joined.toString());
    }

    private RenderedTemplate.Part renderPart(Expression expression) {
        return expression
                .secret(scope)
                .map(name -> new RenderedTemplate.Part(true, name))
                .orElseGet(() -> new RenderedTemplate.Part(
                        false, output.toText(expression, expression.evaluate(scope, budget))));
    }

    private JsonNode deferSecretText(String path, List<RenderedTemplate.Part> parts) {
        secretTexts.add(new RenderedTemplate.SecretText(path, parts));
        return NODES.nullNode();
    }
}
