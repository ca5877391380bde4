package dev.weir.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A value of a request that does not do: which, what was expected, and what was found. */
public final class Invalid extends IllegalArgumentException {
    private static final long serialVersionUID = 1;
    private final String field;
    private final String expected;
    private final String found;

    public Invalid(String field, String expected, String found) {
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

    static <T> T present(String field, String expected, @Nullable T value) {
        if (value == null) {
            throw new Invalid(field, expected, "nothing");
        }
        return value;
    }

    static String text(String field, @Nullable String value, int most) {
        String text = present(field, "a text", value);
        if (text.isBlank()) {
            throw new Invalid(field, "a text", "an empty one");
        }
        if (text.length() > most) {
            throw new Invalid(field, "at most " + most + " characters", String.valueOf(text.length()));
        }
        return text;
    }

    /** A list without gaps. */
    static <T> List<T> each(String field, String expected, List<T> list) {
        for (int i = 0; i < list.size(); i++) {
            if (list.get(i) == null) {
                throw new Invalid(field + "/" + i, expected, "null");
            }
        }
        return List.copyOf(list);
    }

    /** A list of texts. */
    static List<String> texts(String field, List<String> list, int most) {
        List<String> texts = each(field, "a text", list);
        for (int i = 0; i < texts.size(); i++) {
            text(field + "/" + i, texts.get(i), most);
        }
        return texts;
    }
}
