package dev.weir.core.json;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Checks for JSON and text that a store can keep unchanged: text without U+0000 and unpaired surrogates, and finite
 * numbers.
 */
public final class StorableJson {
    private static final char INSTEAD = '\uFFFD';

    private StorableJson() {}

    /** Describes why a value cannot be stored; null if it can. */
    public static @Nullable String misfit(JsonNode value) {
        if (!value.isContainer()) {
            return ofScalar(value);
        }
        ArrayDeque<JsonNode> open = new ArrayDeque<>();
        open.add(value);
        for (JsonNode next = open.poll(); next != null; next = open.poll()) {
            if (next.isObject()) {
                for (String name : next.propertyNames()) {
                    String misfit = misfit(name);
                    if (misfit != null) {
                        return misfit;
                    }
                }
            }
            for (JsonNode child : next) {
                if (child.isContainer()) {
                    open.add(child);
                    continue;
                }
                String misfit = ofScalar(child);
                if (misfit != null) {
                    return misfit;
                }
            }
        }
        return null;
    }

    private static @Nullable String ofScalar(JsonNode value) {
        if (value.isString()) {
            return misfit(value.stringValue());
        }
        return value.isFloatingPointNumber() && !Double.isFinite(value.doubleValue())
                ? "a number that is too large"
                : null;
    }

    /** Describes why a text cannot be stored; null if it can. */
    public static @Nullable String misfit(String text) {
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
    public static String of(String text, int charsMax) {
        String kept = text.length() <= charsMax ? text : text.substring(0, charsMax - 2) + "..";
        if (misfit(kept) == null) {
            return kept;
        }
        var mended = new StringBuilder(kept);
        for (int i = 0; i < kept.length(); i++) {
            if (isPair(kept, i)) {
                i++;
            } else if (kept.charAt(i) == '\0' || Character.isSurrogate(kept.charAt(i))) {
                mended.setCharAt(i, INSTEAD);
            }
        }
        return mended.toString();
    }

    private static boolean isPair(String text, int at) {
        return Character.isHighSurrogate(text.charAt(at))
                && at + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(at + 1));
    }
}
