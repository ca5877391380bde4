package dev.weir.core.reading;

import java.util.List;
import java.util.stream.Collectors;

/** The result of reading a text. */
public sealed interface ReadResult<T> {
    /**
     * The value.
     *
     * @param findings the fields that are accepted but do nothing, or not what one may expect, in the order of the text
     */
    record Accepted<T>(T value, List<Finding> findings) implements ReadResult<T> {
        public Accepted {
            findings = List.copyOf(findings);
        }

        public Accepted(T value) {
            this(value, List.of());
        }
    }

    /**
     * A remark on an accepted text.
     *
     * @param position the position in the text
     * @param path the JSON pointer into the definition
     * @param message the missing effect of the field, and advice what to do instead
     */
    record Finding(TextPosition position, String path, String message) {}

    /** The problems that were found, in the order of the text. */
    record Refused<T>(List<ReadProblem> problems) implements ReadResult<T> {
        public Refused {
            problems = List.copyOf(problems);
        }
    }

    /** Returns the value. For callers to whom a refusal would be a bug. */
    default T orThrow() {
        return switch (this) {
            case Accepted<T> accepted -> accepted.value;
            case Refused<T> refused ->
                throw new IllegalArgumentException(
                        refused.problems.stream().map(ReadProblem::toString).collect(Collectors.joining("\n")));
        };
    }
}
