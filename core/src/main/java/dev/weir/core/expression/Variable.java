package dev.weir.core.expression;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A variable that an expression can read. */
public enum Variable {
    /** The run's input. */
    INPUT,
    /** The earlier steps: {@code steps.x.output}, {@code steps.x.state}. */
    STEPS,
    /** The element for which a step with a fan-out runs. */
    ITEM,
    /** The position of that element in the list, from 0. */
    INDEX,
    /** The event that a trigger examines. */
    EVENT,
    /** The run itself: {@code run.id}. */
    RUN,
    /** Secrets. Their values are inserted only when a worker gets the work, and are never stored. */
    SECRETS,
    /** {@code always()}: true. A step with it is considered even after a failure or cancel. */
    ALWAYS,
    /** {@code failed()}: true if something that the step needs has failed. */
    FAILED,
    /** {@code succeeded()}: true if all that the step needs has completed or was continued. */
    SUCCEEDED;

    /** True if it is written as a call: {@code always()}. */
    boolean isFunction() {
        return this == ALWAYS || this == FAILED || this == SUCCEEDED;
    }

    /** The name in an expression. */
    public String variableName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The name that CEL uses. Functions become variables with names that no expression can contain. */
    String celName() {
        return isFunction() ? "@" + variableName() : variableName();
    }

    static Optional<Variable> byCelName(String name) {
        return Arrays.stream(values())
                .filter(variable -> variable.celName().equals(name))
                .findFirst();
    }

    static List<String> variableNames() {
        return Arrays.stream(values()).map(Variable::variableName).toList();
    }
}
