package dev.weir.engine.records;

import dev.weir.core.state.DeadLetter;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A dead letter as it is stored.
 *
 * @param closedAt the time at which it was redriven or discarded; absent while it is open
 * @param redrivenAs the id of the run, or of the event, that took its place; absent if none did
 */
public record DeadLetterRecord(
        DeadLetter letter,
        DeadLetter.State state,
        @Nullable Instant closedAt,
        @Nullable String redrivenAs) {
    /** Returns the same dead letter without what was submitted. */
    public DeadLetterRecord withoutSubmission() {
        DeadLetter.Content content = letter.content();
        var shortened = new DeadLetter.Content(
                content.kind(),
                content.subject(),
                content.workflow(),
                content.keys(),
                content.reason(),
                content.text(),
                content.chain(),
                content.by(),
                null);
        return new DeadLetterRecord(
                new DeadLetter(letter.number(), shortened, letter.at()), state, closedAt, redrivenAs);
    }
}
