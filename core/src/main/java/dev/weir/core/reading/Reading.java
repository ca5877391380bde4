package dev.weir.core.reading;

import java.util.List;
import java.util.stream.Collectors;

/** What reading a text gave. */
public sealed interface Reading<T> {
    record Accepted<T>(T value) implements Reading<T> {}

    /** Every reason that was seen, in the order of the text. */
    record Refused<T>(List<Refusal> refusals) implements Reading<T> {
        public Refused {
            refusals = List.copyOf(refusals);
        }
    }

    /** The value, where a refusal would be a mistake of the caller's. */
    default T orThrow() {
        return switch (this) {
            case Accepted<T> accepted -> accepted.value;
            case Refused<T> refused ->
                throw new IllegalArgumentException(
                        refused.refusals.stream().map(Refusal::toString).collect(Collectors.joining("\n")));
        };
    }
}
