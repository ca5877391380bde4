package dev.weir.core.definition;

import java.util.List;

/**
 * A value that a step needs, by its place: {@code input.address} or {@code steps.reserve.output.parcels}.
 *
 * @param segments the names from the root, which is {@code input} or {@code steps}
 */
public record DataPath(List<String> segments) {
    public DataPath {
        segments = List.copyOf(segments);
        boolean rooted = segments.size() > 1
                && (segments.getFirst().equals("input") || segments.getFirst().equals("steps"));
        if (!rooted || segments.stream().anyMatch(String::isBlank)) {
            String found = Require.quoted(String.join(".", segments));
            throw new InvalidDefinition("requires", "a path such as input.address or steps.reserve.output", found);
        }
    }

    public static DataPath of(String text) {
        return new DataPath(List.of(text.split("\\.", -1)));
    }

    @Override
    public String toString() {
        return String.join(".", segments);
    }
}
