package dev.weir.api;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** An invalid value in a request: its field, what was expected, and what was found. */
public final class InvalidValue extends IllegalArgumentException {
    private static final long serialVersionUID = 1;
    /** The most characters of a found value that a message shows. */
    private static final int SHOWN_CHARS_MAX = 80;

    private final String field;
    private final String expected;
    private final String found;

    public InvalidValue(String field, String expected, String found) {
        super(field + ": expected " + expected + ", found " + found);
        this.field = field;
        this.expected = expected;
        this.found = found;
    }

    public String field() {
        return field;
    }

    public String expected() {
        return expected;
    }

    public String found() {
        return found;
    }

    /** Returns a found value for a message: in quotes, and not too long. */
    static String quoted(String value) {
        return "'" + (value.length() > SHOWN_CHARS_MAX ? value.substring(0, SHOWN_CHARS_MAX) + "…" : value) + "'";
    }

    static <T> T present(String field, String expected, @Nullable T value) {
        if (value == null) {
            throw new InvalidValue(field, expected, "nothing");
        }
        return value;
    }

    static String text(String field, @Nullable String value, int most) {
        String text = present(field, "a string", value);
        if (text.isBlank()) {
            throw new InvalidValue(field, "a string", "an empty string");
        }
        if (text.length() > most) {
            throw new InvalidValue(field, "at most " + most + " characters", String.valueOf(text.length()));
        }
        return text;
    }

    /** Checks a value that must be absent, null, or a whole number of at least 1. */
    static void countOrNull(String field, @Nullable JsonNode value, String hint) {
        if (value == null || value.isNull()) {
            return;
        }
        if (!value.isIntegralNumber() || !value.canConvertToInt() || value.intValue() < 1) {
            String found = value.toString();
            throw new InvalidValue(
                    field,
                    "a whole number of at least 1 (" + hint + "), or null to clear it",
                    found.length() > SHOWN_CHARS_MAX ? found.substring(0, SHOWN_CHARS_MAX) + "…" : found);
        }
    }

    /** Returns a copy of a list after checking that it has no null elements. */
    static <T> List<T> each(String field, String expected, List<T> list) {
        for (int i = 0; i < list.size(); i++) {
            if (list.get(i) == null) {
                throw new InvalidValue(field + "/" + i, expected, "null");
            }
        }
        return List.copyOf(list);
    }

    /** Returns a copy of a list of texts after checking each of them. */
    static List<String> texts(String field, List<String> list, int most) {
        List<String> texts = each(field, "a string", list);
        for (int i = 0; i < texts.size(); i++) {
            text(field + "/" + i, texts.get(i), most);
        }
        return texts;
    }
}
