package dev.weir.cli;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Reads the period of a rate: a duration with a unit, or a number of milliseconds, such as 60000 or 60_000. */
final class PeriodArgument {
    private static final Pattern MILLISECONDS = Pattern.compile("[0-9]{1,15}");

    private PeriodArgument() {}

    static @Nullable JsonNode read(@Nullable String text) {
        if (text == null) {
            return null;
        }
        return MILLISECONDS.matcher(text).matches()
                ? JsonNodeFactory.instance.numberNode(Long.parseLong(text))
                : JsonNodeFactory.instance.stringNode(text);
    }
}
