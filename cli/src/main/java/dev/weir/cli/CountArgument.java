package dev.weir.cli;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Reads a number that an operator sets, or the word none, which clears the value. */
final class CountArgument {
    private static final Pattern COUNT = Pattern.compile("[1-9][0-9]{0,8}");

    private CountArgument() {}

    static @Nullable JsonNode read(CommandSpec spec, String option, @Nullable String text) {
        if (text == null) {
            return null;
        }
        if (text.equals("none")) {
            return JsonNodeFactory.instance.nullNode();
        }
        if (!COUNT.matcher(text).matches()) {
            throw new ParameterException(
                    spec.commandLine(),
                    option + ": expected a whole number of at least 1, or none, found '" + text + "'");
        }
        return JsonNodeFactory.instance.numberNode(Integer.parseInt(text));
    }
}
