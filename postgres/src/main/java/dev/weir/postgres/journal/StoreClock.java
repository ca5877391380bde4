package dev.weir.postgres.journal;

import dev.weir.engine.journal.Draft;
import java.util.function.LongSupplier;

/**
 * The time of the store as its owner is told it: it never goes back. Where the store's own clock was set back, or is behind
 * what was written before a restart, time goes on from the newest that is known, by the clock of this process, until the
 * store has caught up. Else all that is due would wait for that.
 */
final class StoreClock {
    private static final long UNKNOWN = Long.MIN_VALUE;

    /** The clock of this process, in microseconds. */
    private final LongSupplier monotonic;

    /** The newest that was read, written or told by the store. */
    private long newest = UNKNOWN;
    /** The time, and when that was by the clock of this process. */
    private long time = UNKNOWN;

    private long timeAt;

    StoreClock(LongSupplier monotonic) {
        this.monotonic = monotonic;
    }

    long newest() {
        return newest;
    }

    /** Something is of that time. */
    void atLeast(long when) {
        newest = Math.max(newest, when);
        raise(when);
    }

    private void raise(long to) {
        if (to > time) {
            time = to;
            timeAt = monotonic.getAsLong();
        }
    }

    /** It is so late by the store's own clock; returns the time. What was decided ahead may be a little later. */
    long tells(long clock) {
        if (time != UNKNOWN && clock < time - Draft.AGE_MAX) {
            raise(time + Math.max(0, monotonic.getAsLong() - timeAt));
        } else {
            atLeast(clock);
        }
        return time;
    }
}
