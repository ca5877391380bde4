package dev.weir.postgres.journal;

import dev.weir.engine.journal.PreparedWrites;
import java.util.function.LongSupplier;

/**
 * The store's time as its owner sees it: it never goes back. The store's own clock may be set back, or be behind the
 * times that were written before a restart. Then time continues from the newest known time, by the clock of this
 * process, until the store has caught up. Otherwise all timers would wait that long. Safe for use by many threads.
 */
final class StoreClock {
    private static final long UNKNOWN = Long.MIN_VALUE;

    /** The clock of this process, in microseconds. */
    private final LongSupplier monotonic;

    /** The newest time that was read, written, or returned by the store. */
    private long newestTime = UNKNOWN;
    /** The current time, and the reading of the process's clock at which it was set. */
    private long time = UNKNOWN;

    private long timeSetAt;

    StoreClock(LongSupplier monotonic) {
        this.monotonic = monotonic;
    }

    synchronized long newestTime() {
        return newestTime;
    }

    /** Raises the clock to a time that was read or written. */
    synchronized void advanceTo(long when) {
        newestTime = Math.max(newestTime, when);
        raise(when);
    }

    private void raise(long to) {
        if (to > time) {
            time = to;
            timeSetAt = monotonic.getAsLong();
        }
    }

    /**
     * Takes a reading of the store's own clock and returns the time. Decisions made ahead may be slightly later than
     * it.
     */
    synchronized long observe(long storeTime) {
        if (time != UNKNOWN && storeTime < time - PreparedWrites.AGE_MAX) {
            raise(time + Math.max(0, monotonic.getAsLong() - timeSetAt));
        } else {
            advanceTo(storeTime);
        }
        return time;
    }
}
