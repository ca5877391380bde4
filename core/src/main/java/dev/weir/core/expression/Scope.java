package dev.weir.core.expression;

import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.BooleanNode;

/**
 * The data for rendering a template, and the place that a failure names, such as {@code step pay}. All templates that
 * are rendered with one scope, such as a step's input and all of its keys, share one budget.
 */
public final class Scope {
    private final String location;
    private final Map<Variable, JsonNode> values;
    private final UnitCounter counter;
    private final EvaluationBudget budget;

    private Scope(String location, Map<Variable, JsonNode> values, UnitCounter counter) {
        this.location = location;
        this.values = values;
        this.counter = counter;
        this.budget = new EvaluationBudget(counter);
    }

    public static Scope of(String location) {
        return of(location, new UnitCounter());
    }

    /** Creates a scope whose evaluations are counted together with those of other scopes. */
    public static Scope of(String location, UnitCounter counter) {
        return new Scope(location, Map.of(), counter);
    }

    /**
     * Returns this scope with one more value. Secrets are refused, because their values are inserted at the very end.
     */
    public Scope with(Variable variable, JsonNode value) {
        if (variable == Variable.SECRETS) {
            throw new IllegalArgumentException("secrets are given to Rendered.reveal, not to a scope");
        }
        var extended = new EnumMap<Variable, JsonNode>(Variable.class);
        extended.putAll(values);
        extended.put(variable, value);
        return new Scope(location, extended, counter);
    }

    /** Counts work that is done for the scope besides evaluations. */
    public void addUnits(long units) {
        counter.add(units);
    }

    UnitCounter counter() {
        return counter;
    }

    EvaluationBudget budget() {
        return budget;
    }

    String location() {
        return location;
    }

    @Nullable
    JsonNode find(Variable variable) {
        return variable == Variable.ALWAYS ? BooleanNode.TRUE : values.get(variable);
    }
}
