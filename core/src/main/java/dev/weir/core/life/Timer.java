package dev.weir.core.life;

import dev.weir.core.limit.Moment;

/** Something with a due time. */
abstract sealed class Timer permits Run, Unit, Lease {
    static final int NOWHERE = -1;

    long due = Moment.NEVER;
    int place = NOWHERE;

    /** Orders timers that are due at once by something that survives a restart: the run, then the step. */
    abstract long tie();

    /** Orders timers of one step. */
    abstract int item();

    final boolean before(Timer other) {
        if (due != other.due) {
            return due < other.due;
        }
        return tie() != other.tie() ? tie() < other.tie() : item() < other.item();
    }
}
