package dev.weir.engine.live;

import dev.weir.core.state.DeadLetter;
import dev.weir.core.state.Notice;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import org.jspecify.annotations.Nullable;

/** A committed change. It names what changed and its state, and never contains inputs, outputs or errors. */
public sealed interface ChangeEvent {
    /** The memory that an event occupies besides its texts, in bytes. */
    int BASE_BYTES = 160;

    ChangeTopic topic();

    /** The time of the change, in microseconds. */
    long at();

    /** The estimated memory that the event occupies, in bytes. */
    int bytes();

    /**
     * A run was accepted or changed its state.
     *
     * @param from the state before; absent if the run was accepted
     */
    record RunTransition(
            String run,
            String workflow,
            RunState state,
            @Nullable RunState from,
            long at) implements ChangeEvent {
        @Override
        public ChangeTopic topic() {
            return ChangeTopic.RUNS;
        }

        @Override
        public int bytes() {
            return BASE_BYTES + 2 * run.length();
        }
    }

    /** A step or item changed its state. */
    record StepTransition(UnitId unit, StepState state, StepState from, long at) implements ChangeEvent {
        @Override
        public ChangeTopic topic() {
            return ChangeTopic.STEPS;
        }

        @Override
        public int bytes() {
            return BASE_BYTES + 2 * unit.run().length();
        }
    }

    /**
     * The use of a flow-control key changed, or an operator changed the key.
     *
     * @param waiting the number of steps that the key refuses
     * @param used the capacity in use
     * @param max the capacity; absent if it is not limited
     * @param paused true if something stops new starts
     */
    record KeyLevel(
            String key, int waiting, int used, @Nullable Integer max, boolean paused, boolean pinned, long at)
            implements ChangeEvent {
        @Override
        public ChangeTopic topic() {
            return ChangeTopic.KEYS;
        }

        @Override
        public int bytes() {
            return BASE_BYTES + 2 * key.length();
        }

        /** True if both have the same values, whatever their times. */
        boolean hasSameValues(KeyLevel other) {
            return equals(
                    new KeyLevel(other.key, other.waiting, other.used, other.max, other.paused, other.pinned, at));
        }
    }

    /**
     * A dead letter was added, redriven or discarded.
     *
     * @param kind the kind, if it was added
     */
    record DeadLetterTransition(long number, DeadLetter.@Nullable Kind kind, DeadLetter.State state, long at)
            implements ChangeEvent {
        @Override
        public ChangeTopic topic() {
            return ChangeTopic.DEAD_LETTERS;
        }

        @Override
        public int bytes() {
            return BASE_BYTES;
        }
    }

    /**
     * A notice was issued or closed.
     *
     * @param isOpen true if it was issued
     */
    record NoticeTransition(Notice notice, boolean isOpen, long at) implements ChangeEvent {
        @Override
        public ChangeTopic topic() {
            return ChangeTopic.NOTICES;
        }

        @Override
        public int bytes() {
            return BASE_BYTES + 2 * notice.subject().name().length();
        }
    }
}
