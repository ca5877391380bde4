package dev.weir.core.plan;

import dev.weir.core.expression.Scope;
import dev.weir.core.expression.UnitCounter;
import dev.weir.core.expression.Variable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Builds the scope of expressions that read only a run's id and input. Steps add their own variables to it. */
public final class RunScope {
    private RunScope() {}

    static Scope of(String reader, String run, JsonNode input) {
        return with(Scope.of(reader), run, input);
    }

    /**
     * Creates the scope.
     *
     * @param reader the step or run whose expressions are evaluated, as error messages name it
     * @param counter counts the work of all evaluations
     */
    public static Scope of(String reader, String run, JsonNode input, UnitCounter counter) {
        return with(Scope.of(reader, counter), run, input);
    }

    private static Scope with(Scope scope, String run, JsonNode input) {
        return scope.with(Variable.INPUT, input)
                .with(Variable.RUN, JsonNodeFactory.instance.objectNode().put("id", run));
    }
}
