package dev.weir.core.expression;

import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.BooleanNode;

/**
 * The data that a template is rendered with, and the place that a failure names, such as {@code step pay}. Whatever is
 * rendered with one scope, a step's input and all of its keys, has one budget.
 */
public final class Scope {
    private final String place;
    private final Map<Variable, JsonNode> values;
    private final Tally tally;
    private final Meter meter;

    /** What was spent with a scope, and with those that were made of it. */
    static final class Tally {
        long spent;
    }

    private Scope(String place, Map<Variable, JsonNode> values, Tally tally) {
        this.place = place;
        this.values = values;
        this.tally = tally;
        this.meter = new Meter(tally);
    }

    public static Scope of(String place) {
        return new Scope(place, Map.of(), new Tally());
    }

    /** The same scope with one more value; secrets have none, because they are put in at the very end. */
    public Scope with(Variable variable, JsonNode value) {
        if (variable == Variable.SECRETS) {
            throw new IllegalArgumentException("secrets are given to Rendered.reveal, not to a scope");
        }
        var more = new EnumMap<Variable, JsonNode>(Variable.class);
        more.putAll(values);
        more.put(variable, value);
        return new Scope(place, more, tally);
    }

    /** What was spent on rendering with it and with all that were made of it, in units of evaluation. */
    public long spent() {
        return tally.spent;
    }

    Meter meter() {
        return meter;
    }

    String place() {
        return place;
    }

    @Nullable
    JsonNode find(Variable variable) {
        return variable == Variable.ALWAYS ? BooleanNode.TRUE : values.get(variable);
    }
}
