package dev.weir.core.expression;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

/**
 * A regular expression of bounded size that is matched in time linear in the text. Linear is not yet little: each
 * character may be looked at once for each state, so it can be told beforehand what it costs.
 */
public final class LinearPattern {
    /** The states that it may be compiled to. */
    public static final int STATES_MAX = 5_000;
    /** Looks at a character that cost as much as evaluating a part of an expression. */
    private static final int LOOKS_PER_UNIT = 32;
    /** States that are made in that time. */
    private static final int STATES_PER_UNIT = 2;

    private final Pattern compiled;

    private LinearPattern(Pattern compiled) {
        this.compiled = compiled;
    }

    /** Compiles a pattern, or says by an {@link IllegalArgumentException} why it is none. */
    public static LinearPattern of(String pattern) {
        long unused = statesOf(pattern);
        try {
            return new LinearPattern(Pattern.compile(pattern));
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(
                    "expected a regular expression (RE2), found '" + shown(pattern) + "': " + e.getDescription(), e);
        }
    }

    /** The states that a pattern is compiled to, at the most; too many are refused like what is no pattern. */
    public static long statesOf(String pattern) {
        long states = PatternSize.of(pattern);
        if (states > STATES_MAX) {
            throw new IllegalArgumentException("expected a regular expression of at most " + STATES_MAX
                    + " states, repetitions written out, found more in '" + shown(pattern) + "'");
        }
        return states;
    }

    /** What it costs to compile a pattern of so many states, in units of evaluation. */
    static long compiling(long states) {
        return states / STATES_PER_UNIT;
    }

    /** What it costs to search so many characters for a pattern of so many states, in units of evaluation. */
    public static long searching(long states, int characters) {
        return characters * states / LOOKS_PER_UNIT;
    }

    /** Whether some part of a text matches. */
    public boolean isIn(String text) {
        return compiled.matcher(text).find();
    }

    private static String shown(String pattern) {
        return pattern.length() <= 80 ? pattern : pattern.substring(0, 80) + "…";
    }
}
