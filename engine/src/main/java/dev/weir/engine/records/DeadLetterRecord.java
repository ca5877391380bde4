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
        @Nullable String redrivenAs) {}
