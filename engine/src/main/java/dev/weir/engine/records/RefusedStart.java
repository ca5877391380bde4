package dev.weir.engine.records;

import dev.weir.core.limit.Moment;
import dev.weir.core.state.DeadLetter;
import java.time.Instant;

/**
 * A start from the inbox that could not be carried out, as its dead letter shows it.
 *
 * @param number number of the dead letter
 * @param run id that the run would have had
 * @param by database user that left it, as the store knows it
 */
public record RefusedStart(
        long number, String run, String workflow, DeadLetter.Reason why, String message, String by, Instant at) {
    static RefusedStart of(DeadLetterRecord found) {
        DeadLetter letter = found.letter();
        DeadLetter.Content content = letter.content();
        String workflow = content.workflow() == null ? "" : content.workflow();
        return new RefusedStart(
                letter.number(),
                content.subject(),
                workflow,
                content.reason(),
                content.text(),
                content.by(),
                Moment.toInstant(letter.at()));
    }
}
