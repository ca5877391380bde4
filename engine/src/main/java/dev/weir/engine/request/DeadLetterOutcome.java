package dev.weir.engine.request;

import dev.weir.core.state.DeadLetter;
import org.jspecify.annotations.Nullable;

/** The answer to a request to redrive or discard a dead letter. */
public sealed interface DeadLetterOutcome {
    /**
     * It is redriven or discarded as requested.
     *
     * @param redrivenAs the id of the run, or of the event, that takes its place; absent if none does
     * @param isNew false if an earlier request did it
     */
    record Closed(DeadLetter.State state, @Nullable String redrivenAs, boolean isNew) implements DeadLetterOutcome {}

    /** It was closed in the other way before. */
    record ClosedOtherwise(DeadLetter.State state) implements DeadLetterOutcome {}

    record NotFound() implements DeadLetterOutcome {}

    /** It cannot be redriven, and stays open. */
    record Refused(String reason) implements DeadLetterOutcome {}
}
