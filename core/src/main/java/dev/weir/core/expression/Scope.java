package dev.weir.core.expression;

import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.BooleanNode;

/** The data that a template is rendered with, and the place that a failure names, such as {@code step pay}. */
public final class Scope {
    private final String place;
    private final Map<Variable, JsonNode> values;

    private Scope(String place, Map<Variable, JsonNode> values) {
        this.place = place;
        this.values = values;
    }

    public static Scope of(String place) {
        return new Scope(place, Map.of());
    }

    /** The same scope with one more value; secrets have none, because they are put in at the very end. */
    public Scope with(Variable variable, JsonNode value) {
        if (variable == Variable.SECRETS) {
            throw new IllegalArgumentException("secrets are given to Rendered.reveal, not to a scope");
        }
        var more = new EnumMap<Variable, JsonNode>(Variable.class);
        more.putAll(values);
        more.put(variable, value);
        return new Scope(place, more);
    }

    String place() {
        return place;
    }

    @Nullable
    JsonNode find(Variable variable) {
        return variable == Variable.ALWAYS ? BooleanNode.TRUE : values.get(variable);
    }
}
