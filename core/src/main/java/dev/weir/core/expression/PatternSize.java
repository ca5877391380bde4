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
    private static final int TOKEN_CHARS_MAX = 64;

    private final String pattern;
    /** The sizes of the groups around the current one. */
    private final ArrayDeque<Long> enclosingSizes = new ArrayDeque<>();

    private long groupSize = 2;
    /** The size of the part that a following repetition would repeat. */
    private long lastPartSize;

    private PatternSize(String pattern) {
        this.pattern = pattern;
    }

    /** Returns the size, or {@link Long#MAX_VALUE} if the groups are nested too deeply. */
    static long of(String pattern) {
        var size = new PatternSize(pattern);
        int at = 0;
        while (at < pattern.length()) {
            if (size.enclosingSizes.size() > NESTING_MAX) {
                return Long.MAX_VALUE;
            }
            at = size.readPart(at);
        }
        while (!size.enclosingSizes.isEmpty()) {
            size.closeGroup();
        }
        return size.groupSize;
    }

    /** Reads one part and returns the position of the next. */
    private int readPart(int at) {
        return switch (pattern.charAt(at)) {
            case '\\' -> readEscape(at);
            case '[' -> {
                addPart(1);
                yield endOfClass(at);
            }
            case '(' -> openGroup(at);
            case ')' -> {
                if (!enclosingSizes.isEmpty()) {
                    closeGroup();
                }
                yield at + 1;
            }
            case '{' -> readRepetition(at);
            case '|' -> {
                addPart(2);
                lastPartSize = 0;
                yield at + 1;
            }
            case '*', '+', '?' -> {
                growLastPart(lastPartSize + 2);
                yield at + 1;
            }
            default -> {
                addPart(1);
                yield at + 1;
            }
        };
    }

    private void addPart(long states) {
        lastPartSize = states;
        groupSize = sum(groupSize, states);
    }

    /** Raises the size of the last part. */
    private void growLastPart(long to) {
        groupSize = sum(groupSize, to - lastPartSize);
        lastPartSize = to;
    }

    /**
     * Opens a group. Flags such as {@code (?i)} are not a group, and a repetition after them applies to the part before
     * them.
     */
    private int openGroup(int at) {
        int end = findNearby(")", at);
        if (end > 0 && pattern.substring(at + 1, end).matches("\\?[a-zA-Z-]*")) {
            return end + 1;
        }
        enclosingSizes.push(groupSize);
        groupSize = 2;
        lastPartSize = 0;
        return at + 1;
    }

    private void closeGroup() {
        long inner = groupSize;
        groupSize = enclosingSizes.pop();
        addPart(inner);
    }

    private int readEscape(int at) {
        boolean quotes = pattern.startsWith("\\Q", at);
        if (quotes) {
            int end = pattern.indexOf("\\E", at);
            int to = end < 0 ? pattern.length() : end;
            addPart(to - at);
            return end < 0 ? to : end + 2;
        }
        addPart(1);
        boolean named = at + 2 < pattern.length() && pattern.charAt(at + 2) == '{' && "pPx".indexOf(charAfter(at)) >= 0;
        int end = named ? findNearby("}", at) : -1;
        return end < 0 ? at + 2 : end + 1;
    }

    /** Returns the next position of a text, or -1 if it is not within {@link #TOKEN_CHARS_MAX} characters. */
    private int findNearby(String text, int from) {
        int to = Math.min(pattern.length(), from + TOKEN_CHARS_MAX);
        int found = pattern.substring(Math.min(from, to), to).indexOf(text);
        return found < 0 ? -1 : from + found;
    }

    private char charAfter(int at) {
        return at + 1 < pattern.length() ? pattern.charAt(at + 1) : '\0';
    }

    /** Returns the end of a character class. A class without an end is an invalid pattern anyway. */
    private int endOfClass(int start) {
        int at = start + 1;
        at += charAfter(start) == '^' ? 1 : 0;
        at += at < pattern.length() && pattern.charAt(at) == ']' ? 1 : 0;
        while (at < pattern.length() && pattern.charAt(at) != ']') {
            int named = pattern.startsWith("[:", at) ? findNearby(":]", at + 2) : -1;
            at = named >= 0 ? named + 2 : at + (pattern.charAt(at) == '\\' ? 2 : 1);
        }
        return at + 1;
    }

    /** Reads {@code {n}}, <code>{n,}</code> or {@code {n,m}}. Anything else in braces is literal. */
    private int readRepetition(int at) {
        int end = findNearby("}", at);
        String counts = end < 0 ? "" : pattern.substring(at + 1, end);
        if (!counts.matches("[0-9]{1,4}(,[0-9]{0,4})?")) {
            addPart(1);
            return at + 1;
        }
        long max = 1;
        for (String count : counts.split(",", -1)) {
            max = Math.max(max, count.isEmpty() ? 1 : Integer.parseInt(count) + 1);
        }
        growLastPart(product(lastPartSize + 2, max));
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
