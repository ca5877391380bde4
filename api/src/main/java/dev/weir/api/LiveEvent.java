package dev.weir.api;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An event of the live stream. It names what has changed and the new state, and never contains inputs or outputs. */
public sealed interface LiveEvent {
    /** The stream has begun. Every later change follows, so a client that reads the state now misses nothing. */
    record Opened() implements LiveEvent {
        public static final String NAME = "open";
    }

    /**
     * Changes may be missing, for example after a restart of the server. The client must read the state again.
     *
     * @param reason the reason in words
     */
    record Reset(String reason) implements LiveEvent {
        public static final String NAME = "reset";
    }

    /**
     * A run was accepted or changed its state.
     *
     * @param from the state before; absent if the run was accepted
     */
    record RunEvent(
            String run,
            String workflow,
            String state,
            @Nullable String from,
            Instant at) implements LiveEvent {
        public static final String NAME = "run";
    }

    /** A step or item changed its state. */
    record StepEvent(String run, String step, @Nullable Integer item, String state, String from, Instant at)
            implements LiveEvent {
        public static final String NAME = "step";
    }

    /**
     * The use of a flow-control key has changed, or an operator has changed the key.
     *
     * @param waiting the number of steps that the key refuses
     * @param used the capacity in use
     * @param max the capacity; absent if it is not limited
     * @param paused true if something stops new starts under the key
     * @param pinned true if an operator's values are in force
     */
    record KeyEvent(
            String key, int waiting, int used, @Nullable Integer max, boolean paused, boolean pinned, Instant at)
            implements LiveEvent {
        public static final String NAME = "key";
    }

    /**
     * A dead letter was added, redriven or discarded.
     *
     * @param kind the kind, if it was added
     * @param state open, redriven or discarded
     */
    record DeadLetterEvent(String id, @Nullable String kind, String state, Instant at) implements LiveEvent {
        public static final String NAME = "dead_letter";
    }

    /**
     * A notice was issued or closed.
     *
     * @param state open or closed
     * @param subject the limit that it is about; absent if it is about the organisation
     */
    record NoticeEvent(
            String id,
            String kind,
            String severity,
            @Nullable String subject,
            String state,
            Instant at) implements LiveEvent {
        public static final String NAME = "notice";
    }
}
