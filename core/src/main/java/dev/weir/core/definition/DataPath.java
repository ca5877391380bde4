package dev.weir.core.definition;

import java.util.List;
import java.util.regex.Pattern;

/**
 * The path of a value that a step needs: {@code input.address} or {@code steps.reserve.output.parcels}.
 *
 * @param segments the names from the root, which is {@code input} or {@code steps}
 */
public record DataPath(List<String> segments) {
    private static final Pattern PATTERN = Pattern.compile("(input|steps)(\\.[^.]+)+");

    public DataPath {
        segments = List.copyOf(segments);
        if (!isPath(String.join(".", segments))) {
            String found = FieldChecks.quoted(String.join(".", segments));
            throw new InvalidDefinition("requires", "a path such as input.address or steps.reserve.output", found);
        }
    }

    public static DataPath of(String text) {
        return new DataPath(List.of(text.split("\\.", -1)));
    }

    public static boolean isPath(String text) {
        return PATTERN.matcher(text).matches();
    }

    @Override
    public String toString() {
        return String.join(".", segments);
    }
}
