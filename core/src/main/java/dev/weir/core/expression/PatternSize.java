package dev.weir.core.expression;

import java.util.ArrayDeque;

/**
 * Computes an upper bound of the states that a regular expression compiles to, without compiling it. Nested repetitions
 * multiply, so forty characters can need more memory than exists.
 */
final class PatternSize {
    /** The deepest nesting of groups. Readers of a pattern use a stack. */
    static final int NESTING_MAX = 100;
    /** The longest name or count within a pattern, in characters. Longer ones are invalid. */
    private static final int WORD_MAX = 64;

    private final String pattern;
    /** The sizes of the groups around the current one. */
    private final ArrayDeque<Long> outer = new ArrayDeque<>();

    private long group = 2;
    /** The size of the part that a following repetition would repeat. */
    private long last;

    private PatternSize(String pattern) {
        this.pattern = pattern;
    }

    /** Returns the size, or {@link Long#MAX_VALUE} if the groups are nested too deeply. */
    static long of(String pattern) {
        var size = new PatternSize(pattern);
        int at = 0;
        while (at < pattern.length()) {
            if (size.outer.size() > NESTING_MAX) {
                return Long.MAX_VALUE;
            }
            at = size.read(at);
        }
        while (!size.outer.isEmpty()) {
            size.close();
        }
        return size.group;
    }

    /** Reads one part and returns the position of the next. */
    private int read(int at) {
        return switch (pattern.charAt(at)) {
            case '\\' -> escape(at);
            case '[' -> {
                add(1);
                yield endOfClass(at);
            }
            case '(' -> open(at);
            case ')' -> {
                if (!outer.isEmpty()) {
                    close();
                }
                yield at + 1;
            }
            case '{' -> repeat(at);
            case '|' -> {
                add(2);
                last = 0;
                yield at + 1;
            }
            case '*', '+', '?' -> {
                grow(last + 2);
                yield at + 1;
            }
            default -> {
                add(1);
                yield at + 1;
            }
        };
    }

    private void add(long states) {
        last = states;
        group = sum(group, states);
    }

    /** Raises the size of the last part. */
    private void grow(long to) {
        group = sum(group, to - last);
        last = to;
    }

    /**
     * Opens a group. Flags such as {@code (?i)} are not a group, and a repetition after them applies to the part before
     * them.
     */
    private int open(int at) {
        int end = find(")", at);
        if (end > 0 && pattern.substring(at + 1, end).matches("\\?[a-zA-Z-]*")) {
            return end + 1;
        }
        outer.push(group);
        group = 2;
        last = 0;
        return at + 1;
    }

    private void close() {
        long inner = group;
        group = outer.pop();
        add(inner);
    }

    private int escape(int at) {
        boolean quotes = pattern.startsWith("\\Q", at);
        if (quotes) {
            int end = pattern.indexOf("\\E", at);
            int to = end < 0 ? pattern.length() : end;
            add(to - at);
            return end < 0 ? to : end + 2;
        }
        add(1);
        boolean named = at + 2 < pattern.length() && pattern.charAt(at + 2) == '{' && "pPx".indexOf(next(at)) >= 0;
        int end = named ? find("}", at) : -1;
        return end < 0 ? at + 2 : end + 1;
    }

    /** Returns the next position of a text, or -1 if it is not within {@link #WORD_MAX} characters. */
    private int find(String text, int from) {
        int to = Math.min(pattern.length(), from + WORD_MAX);
        int found = pattern.substring(Math.min(from, to), to).indexOf(text);
        return found < 0 ? -1 : from + found;
    }

    private char next(int at) {
        return at + 1 < pattern.length() ? pattern.charAt(at + 1) : '\0';
    }

    /** Returns the end of a character class. A class without an end is an invalid pattern anyway. */
    private int endOfClass(int start) {
        int at = start + 1;
        at += next(start) == '^' ? 1 : 0;
        at += at < pattern.length() && pattern.charAt(at) == ']' ? 1 : 0;
        while (at < pattern.length() && pattern.charAt(at) != ']') {
            int named = pattern.startsWith("[:", at) ? find(":]", at + 2) : -1;
            at = named >= 0 ? named + 2 : at + (pattern.charAt(at) == '\\' ? 2 : 1);
        }
        return at + 1;
    }

    /** Reads {@code {n}}, <code>{n,}</code> or {@code {n,m}}. Anything else in braces is literal. */
    private int repeat(int at) {
        int end = find("}", at);
        String counts = end < 0 ? "" : pattern.substring(at + 1, end);
        if (!counts.matches("[0-9]{1,4}(,[0-9]{0,4})?")) {
            add(1);
            return at + 1;
        }
        long most = 1;
        for (String count : counts.split(",", -1)) {
            most = Math.max(most, count.isEmpty() ? 1 : Integer.parseInt(count) + 1);
        }
        grow(product(last + 2, most));
        return end + 1;
    }

    private static long sum(long one, long other) {
        long sum = one + other;
        return sum < 0 ? Long.MAX_VALUE / 2 : Math.min(sum, Long.MAX_VALUE / 2);
    }

    private static long product(long one, long other) {
        long high = Math.multiplyHigh(one, other);
        return high != 0 || one * other < 0 ? Long.MAX_VALUE / 4 : Math.min(one * other, Long.MAX_VALUE / 4);
    }
}
