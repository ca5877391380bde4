package dev.weir.engine.journal;

import dev.weir.core.command.DeadLetterControl;
import dev.weir.core.state.DeadLetter;
import dev.weir.engine.request.StartRequest;
import org.jspecify.annotations.Nullable;

/**
 * A dead letter as it is read before it is redriven or discarded.
 *
 * @param state its state, and what took its place
 * @param start the start to submit again; absent if it is not a refused start, or if it cannot be submitted again
 */
public record StoredDeadLetter(
        DeadLetter letter,
        DeadLetterControl.Closed state,
        @Nullable StartRequest start) {}
