package dev.weir.core.definition;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.weir.core.expression.RenderFailed;
import dev.weir.core.expression.Scope;
import dev.weir.core.expression.Template;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks that records apply to their own components. Each error names the field as a workflow file spells it. */
final class FieldChecks {
    private FieldChecks() {}

    static void checkPositive(String field, @Nullable Integer value) {
        if (value != null) {
            checkRange(field, value, 1, DefinitionBounds.COUNT_MAX);
        }
    }

    static void checkRange(String field, int value, int min, int max) {
        if (value < min || value > max) {
            throw new InvalidDefinition(field, "a whole number from " + min + " to " + max, String.valueOf(value));
        }
    }

    static void checkPositive(String field, @Nullable Duration value) {
        if (value != null) {
            checkRange(field, value, Duration.ofMillis(1), DefinitionBounds.DURATION_MAX);
        }
    }

    static void checkRange(String field, Duration value, Duration min, Duration max) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            String expected = "a duration from " + DurationText.format(min) + " to " + DurationText.format(max);
            throw new InvalidDefinition(field, expected, DurationText.format(value));
        }
    }

    static void checkSize(String field, List<?> list, int max) {
        if (list.size() > max) {
            throw new InvalidDefinition(field, "at most " + max + " entries", String.valueOf(list.size()));
        }
    }

    static void checkName(String field, String value) {
        checkPattern(field, value, DefinitionBounds.NAME, "a name of letters, digits, '_', '-' and '.'");
    }

    static void checkStepId(String field, String value) {
        checkPattern(field, value, DefinitionBounds.STEP_ID, "an id of letters, digits, '_' and '-'");
    }

    private static void checkPattern(String field, String value, Pattern pattern, String expected) {
        if (!pattern.matcher(value).matches()) {
            throw new InvalidDefinition(
                    field, expected + " (at most " + DefinitionBounds.NAME_CHARS_MAX + ")", quoted(value));
        }
    }

    /**
     * Checks that a key is text. The length of a key with expressions is only known, and checked, when it is rendered.
     */
    static void checkKey(String field, Template value) {
        if (!value.source().isString() || value.source().stringValue().isBlank()) {
            throw new InvalidDefinition(field, "text that is not empty", quoted(value.toString()));
        }
        int bytes = value.source().stringValue().getBytes(UTF_8).length;
        if (value.isLiteral() && bytes > DefinitionBounds.KEY_BYTES_MAX) {
            throw new InvalidDefinition(
                    field, "at most " + DefinitionBounds.KEY_BYTES_MAX + " bytes", bytes + " bytes");
        }
        if (!value.isStored()) {
            checkKeySource(field, value);
        }
    }

    /** Checks the text of a key that contains no expressions. */
    static void checkKeyText(String field, String value) {
        int bytes = value.getBytes(UTF_8).length;
        if (value.isBlank() || bytes > DefinitionBounds.KEY_BYTES_MAX || value.indexOf('\0') >= 0) {
            String expected = "text of 1 to " + DefinitionBounds.KEY_BYTES_MAX + " bytes";
            throw new InvalidDefinition(field, expected, quoted(value) + " (" + bytes + " bytes)");
        }
    }

    /** Checks that a key is so short that a command can compile it. */
    private static void checkKeySource(String field, Template value) {
        int chars = value.source().stringValue().length();
        if (chars > DefinitionBounds.KEY_SOURCE_CHARS_MAX) {
            String expected = "at most " + DefinitionBounds.KEY_SOURCE_CHARS_MAX + " characters";
            throw new InvalidDefinition(field, expected, chars + " characters");
        }
        int expressions = value.expressionCount();
        if (expressions > DefinitionBounds.KEY_EXPRESSIONS_MAX) {
            String expected = "at most " + DefinitionBounds.KEY_EXPRESSIONS_MAX + " expressions";
            throw new InvalidDefinition(field, expected, String.valueOf(expressions));
        }
    }

    /** Renders a key. The rendered value has the same bound as a literal one. */
    static String renderKey(Template key, Scope scope) {
        String value = key.renderText(scope);
        int bytes = value.getBytes(UTF_8).length;
        if (value.isBlank() || bytes > DefinitionBounds.KEY_BYTES_MAX || value.indexOf('\0') >= 0) {
            String expected = "expected a key of 1 to " + DefinitionBounds.KEY_BYTES_MAX + " bytes from " + key;
            throw new RenderFailed(scope, expected + ", found " + quoted(value) + " (" + bytes + " bytes)");
        }
        return value;
    }

    /** Checks the scheme of a URL. A URL that begins with an expression is only checked when the request is sent. */
    static void checkUrl(String field, Template value) {
        String text = value.source().asString("");
        if (!text.startsWith("https://") && !text.startsWith("http://") && !text.startsWith("${{")) {
            String expected = "an address that begins with https:// or http://";
            throw new InvalidDefinition(field, expected, quoted(text));
        }
    }

    static void checkObject(String field, Template value) {
        if (!value.source().isObject()) {
            throw new InvalidDefinition(field, "an object", quoted(value.toString()));
        }
    }

    static String quoted(String value) {
        return '\'' + (value.length() <= 80 ? value : value.substring(0, 80) + "…") + '\'';
    }
}
