package dev.weir.engine.request;

import dev.weir.core.state.DeadLetter;

/**
 * A request to redrive or discard a dead letter.
 *
 * @param subject the id of the run or event that the dead letter is about, as it was read
 * @param action the state that the dead letter gets: redriven or discarded
 */
public record DeadLetterRequest(long number, String subject, DeadLetter.State action) {
    public DeadLetterRequest {
        if (action == DeadLetter.State.OPEN) {
            throw new IllegalArgumentException("expected to redrive or to discard a dead letter, found open");
        }
    }
}
