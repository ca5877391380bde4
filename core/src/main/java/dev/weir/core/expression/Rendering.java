package dev.weir.core.expression;

import dev.weir.core.json.CompactNodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** One rendering of a template; it collects the texts whose secrets are put in later. */
final class Rendering {
    private static final JsonNodeFactory NODES = CompactNodes.COMPACT;

    private final Scope scope;
    private final Meter meter;
    private final Output output;
    private final List<Rendered.Late> late = new ArrayList<>();

    Rendering(Scope scope) {
        this.scope = scope;
        this.meter = scope.meter();
        this.output = new Output(scope);
    }

    Rendered render(Shape shape) {
        return new Rendered(render(shape, ""), late);
    }

    private JsonNode render(Shape shape, String path) {
        return switch (shape) {
            case Shape.Literal literal -> literal.value();
            case Shape.Whole whole -> whole(whole.expression(), path);
            case Shape.Text text -> text(text.segments(), path);
            case Shape.Array array -> {
                ArrayNode rendered = NODES.arrayNode();
                for (Shape element : array.elements()) {
                    rendered.add(render(element, path + "/" + rendered.size()));
                }
                yield rendered;
            }
            case Shape.Fields object -> {
                ObjectNode rendered = NODES.objectNode();
                for (Map.Entry<String, Shape> field : object.fields().entrySet()) {
                    String name = field.getKey().replace("~", "~0").replace("/", "~1");
                    rendered.set(field.getKey(), render(field.getValue(), path + "/" + name));
                }
                yield rendered;
            }
        };
    }

    private JsonNode whole(Expression expression, String path) {
        if (expression.secret().isPresent()) {
            return later(
                    path, List.of(new Rendered.Part(true, expression.secret().get())));
        }
        return output.json(expression, expression.evaluate(scope, meter));
    }

    private JsonNode text(List<Segments.Segment> segments, String path) {
        List<Rendered.Part> parts = new ArrayList<>();
        for (Segments.Segment segment : segments) {
            parts.add(
                    switch (segment) {
                        case Segments.Literal literal -> new Rendered.Part(false, literal.text());
                        case Segments.Code code -> part(code.expression());
                    });
        }
        if (parts.stream().anyMatch(Rendered.Part::secret)) {
            return later(path, parts);
        }
        var joined = new StringBuilder();
        parts.forEach(part -> joined.append(part.text()));
        return NODES.stringNode(joined.toString());
    }

    private Rendered.Part part(Expression expression) {
        return expression
                .secret()
                .map(name -> new Rendered.Part(true, name))
                .orElseGet(() -> new Rendered.Part(false, output.text(expression, expression.evaluate(scope, meter))));
    }

    private JsonNode later(String path, List<Rendered.Part> parts) {
        late.add(new Rendered.Late(path, parts));
        return NODES.nullNode();
    }
}
