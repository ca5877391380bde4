package dev.weir.core.json;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Checks for JSON and text that a store can keep unchanged: text without U+0000 and unpaired surrogates, and finite
 * numbers.
 */
public final class StorableJson {
    private static final char REPLACEMENT = '\uFFFD';

    private StorableJson() {}

    /** Describes why a value cannot be stored; null if it can. */
    public static @Nullable String findProblem(JsonNode value) {
        if (!value.isContainer()) {
            return findScalarProblem(value);
        }
        ArrayDeque<JsonNode> pending = new ArrayDeque<>();
        pending.add(value);
        for (JsonNode next = pending.poll(); next != null; next = pending.poll()) {
            if (next.isObject()) {
                for (String name : next.propertyNames()) {
                    String problem = findProblem(name);
                    if (problem != null) {
                        return problem;
                    }
                }
            }
            for (JsonNode child : next) {
                if (child.isContainer()) {
                    pending.add(child);
                    continue;
                }
                String problem = findScalarProblem(child);
                if (problem != null) {
                    return problem;
                }
            }
        }
        return null;
    }

    private static @Nullable String findScalarProblem(JsonNode value) {
        if (value.isString()) {
            return findProblem(value.stringValue());
        }
        return value.isFloatingPointNumber() && !Double.isFinite(value.doubleValue())
                ? "a number that is too large"
                : null;
    }

    /** Describes why a text cannot be stored; null if it can. */
    public static @Nullable String findProblem(String text) {
        for (int i = 0; i < text.length(); i++) {
            char at = text.charAt(i);
            if (at == '\0') {
                return "the character U+0000";
            }
            if (isPair(text, i)) {
                i++;
            } else if (Character.isSurrogate(at)) {
                return "half a surrogate pair";
            }
        }
        return null;
    }

    /** Returns the text, at most {@code charsMax} long, with U+FFFD in place of what cannot be stored. */
    public static String sanitize(String text, int charsMax) {
        String shortened = text.length() <= charsMax ? text : text.substring(0, charsMax - 2) + "..";
        if (findProblem(shortened) == null) {
            return shortened;
        }
        var sanitized = new StringBuilder(shortened);
        for (int i = 0; i < shortened.length(); i++) {
            if (isPair(shortened, i)) {
                i++;
            } else if (shortened.charAt(i) == '\0' || Character.isSurrogate(shortened.charAt(i))) {
                sanitized.setCharAt(i, REPLACEMENT);
            }
        }
        return sanitized.toString();
    }

    private static boolean isPair(String text, int at) {
        return Character.isHighSurrogate(text.charAt(at))
                && at + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(at + 1));
    }
}
