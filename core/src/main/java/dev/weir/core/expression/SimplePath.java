package dev.weir.core.expression;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A valid expression that only names data, such as {@code input.order.id}. It is read without CEL, so that the most
 * frequent expressions are never compiled after a restart.
 */
final class SimplePath {
    /** The price of one name, in units. */
    private static final int UNITS_PER_NAME = 2;

    private static final Pattern PATTERN = Pattern.compile("\\s*[a-z]+(\\.[A-Za-z_][A-Za-z0-9_]*)*\\s*");
    private static final Pattern DOT = Pattern.compile("\\.");

    private final Variable variable;
    private final List<String> names;

    private SimplePath(Variable variable, List<String> names) {
        this.variable = variable;
        this.names = names;
    }

    /** Returns the path that a valid expression consists of; null if it is anything else. */
    static @Nullable SimplePath find(String text) {
        if (!PATTERN.matcher(text).matches()) {
            return null;
        }
        List<String> names = Arrays.asList(DOT.split(text.strip()));
        for (Variable variable : Variable.values()) {
            if (variable.celName().equals(names.getFirst()) && variable != Variable.SECRETS) {
                return new SimplePath(variable, names.subList(1, names.size()));
            }
        }
        return null;
    }

    /** Returns the CEL value at this path; null if there is none. CEL then says why. */
    @Nullable
    Object find(Scope scope, EvaluationBudget budget) {
        budget.spend((long) UNITS_PER_NAME * (names.size() + 1));
        JsonNode value = scope.find(variable);
        for (String name : names) {
            value = value == null || !value.isObject() ? null : value.get(name);
        }
        return value == null ? null : JsonView.of(value, budget);
    }
}
