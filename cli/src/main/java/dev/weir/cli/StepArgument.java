package dev.weir.cli;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * A step or item on the command line, in the form that {@code weir why} and {@code weir time} print: {@code
 * resize}, or {@code resize/4} for its item 4. Step ids contain no slash.
 */
record StepArgument(String step, @Nullable Integer item) {
    private static final Pattern INDEX = Pattern.compile("[0-9]{1,9}");

    /** Reads STEP or STEP/ITEM. {@code --item} may also give the item, but the two must not differ. */
    static StepArgument read(CommandSpec spec, String text, @Nullable Integer option) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            return new StepArgument(text, option);
        }
        Integer item = index(spec, text, text.substring(slash + 1));
        if (option != null && !option.equals(item)) {
            throw invalid(spec, "expected one item, found " + text + " and --item " + option);
        }
        return new StepArgument(text.substring(0, slash), item);
    }

    /** Reads a step for a command that does not support items. */
    static String readStep(CommandSpec spec, String text) {
        StepArgument argument = read(spec, text, null);
        if (argument.item != null) {
            throw invalid(
                    spec, spec.name() + " applies to a whole step: expected " + argument.step + ", found " + text);
        }
        return argument.step;
    }

    private static Integer index(CommandSpec spec, String text, String digits) {
        if (!INDEX.matcher(digits).matches()) {
            throw invalid(
                    spec, "expected an item index of at least 0 after the slash, such as resize/4, found " + text);
        }
        return Integer.valueOf(digits);
    }

    private static ParameterException invalid(CommandSpec spec, String message) {
        return new ParameterException(spec.commandLine(), "STEP: " + message);
    }

    /** Formats a step or item for people. */
    static String format(String step, @Nullable Integer item) {
        return item == null ? step : step + "/" + item;
    }

    @Override
    public String toString() {
        return format(step, item);
    }
}
