package dev.weir.core.expression;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What an expression can see. */
public enum Variable {
    /** The run's input. */
    INPUT,
    /** The steps before: {@code steps.x.output}, {@code steps.x.state}. */
    STEPS,
    /** The element for which a fanned-out step runs. */
    ITEM,
    /** Its place in the list, from 0. */
    INDEX,
    /** The event that a trigger looks at. */
    EVENT,
    /** The run itself: {@code run.id}. */
    RUN,
    /** Values that are put in only when work is handed out, and are never stored. */
    SECRETS,
    /** {@code always()}: true, and says that the step is looked at even after a failure or cancel. */
    ALWAYS,
    /** {@code failed()}: whether something that the step needs has failed. */
    FAILED,
    /** {@code succeeded()}: whether all that the step needs has completed or was continued. */
    SUCCEEDED;

    /** Whether it is written as a call: {@code always()}. */
    boolean isFunction() {
        return this == ALWAYS || this == FAILED || this == SUCCEEDED;
    }

    /** The name in an expression. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The name under which CEL knows it; functions become variables that nobody can write. */
    String celName() {
        return isFunction() ? "@" + word() : word();
    }

    static Optional<Variable> byCelName(String name) {
        return Arrays.stream(values())
                .filter(variable -> variable.celName().equals(name))
                .findFirst();
    }

    static List<String> words() {
        return Arrays.stream(values()).map(Variable::word).toList();
    }
}
