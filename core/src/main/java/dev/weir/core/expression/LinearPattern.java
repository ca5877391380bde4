package dev.weir.core.expression;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

/**
 * A regular expression of bounded size that matches in time linear in the text. Linear time can still be long: each
 * character may be examined once per state, so the cost is computed in advance.
 */
public final class LinearPattern {
    /** The most states that a pattern may compile to. */
    public static final int STATES_MAX = 5_000;
    /** The examinations of a character that cost as much as the evaluation of one node of an expression. */
    private static final int COMPARISONS_PER_UNIT = 32;
    /** The states that can be created in that time. */
    private static final int STATES_PER_UNIT = 2;

    private final Pattern compiled;

    private LinearPattern(Pattern compiled) {
        this.compiled = compiled;
    }

    /** Compiles a pattern. Throws {@link IllegalArgumentException} with the reason if the pattern is invalid. */
    public static LinearPattern of(String pattern) {
        long unused = countStates(pattern);
        try {
            return new LinearPattern(Pattern.compile(pattern));
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(
                    "expected a regular expression (RE2), found '" + shortened(pattern) + "': " + e.getDescription(),
                    e);
        }
    }

    /**
     * Returns an upper bound of the states that a pattern compiles to. Throws {@link IllegalArgumentException} if there
     * are too many.
     */
    public static long countStates(String pattern) {
        long states = PatternSize.of(pattern);
        if (states > STATES_MAX) {
            throw new IllegalArgumentException("expected a regular expression of at most " + STATES_MAX
                    + " states with all repetitions expanded, found more in '" + shortened(pattern) + "'");
        }
        return states;
    }

    /** Returns the cost of compiling a pattern with that many states, in units of evaluation. */
    static long compileCost(long states) {
        return states / STATES_PER_UNIT;
    }

    /**
     * Returns the cost of searching that many characters for a pattern with that many states, in units of evaluation.
     */
    public static long searchCost(long states, int characters) {
        return characters * states / COMPARISONS_PER_UNIT;
    }

    /** True if some part of the text matches. */
    public boolean isFoundIn(String text) {
        return compiled.matcher(text).find();
    }

    private static String shortened(String pattern) {
        return pattern.length() <= 80 ? pattern : pattern.substring(0, 80) + "…";
    }
}
