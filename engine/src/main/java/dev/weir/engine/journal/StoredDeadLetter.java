package dev.weir.engine.journal;

import dev.weir.core.command.DeadLetterControl;
import dev.weir.core.state.DeadLetter;
import dev.weir.core.state.TriggerSubmission;
import dev.weir.engine.request.StartRequest;
import org.jspecify.annotations.Nullable;

/**
 * A dead letter as it is read before it is redriven or discarded.
 *
 * @param state its state, and what took its place
 * @param start the start to submit again; absent if it is not a refused start, or if it cannot be submitted again
 * @param triggered the work to submit to its trigger again; absent if it is none of a trigger
 */
public record StoredDeadLetter(
        DeadLetter letter,
        DeadLetterControl.Closed state,
        @Nullable StartRequest start,
        @Nullable TriggerSubmission triggered) {}
