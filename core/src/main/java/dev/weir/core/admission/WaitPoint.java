package dev.weir.core.admission;

import dev.weir.core.heap.IndexedHeap;
import dev.weir.core.limit.Moment;

/**
 * A place where tickets are parked: a shared limit or a run. It is judged again when it changes, or at the time when it
 * changes by itself.
 */
abstract sealed class WaitPoint extends IndexedHeap.Node permits SharedLimit, RunLimiter {
    private long wakeAt = Moment.NEVER;
    /** True if it has changed since it was last judged. */
    boolean dirty;

    @Override
    protected final long rank() {
        return wakeAt;
    }

    @Override
    protected final int compareWithinRank(IndexedHeap.Node other) {
        return Long.compare(order(), ((WaitPoint) other).order());
    }

    /** The order among wait points that wake at the same time. */
    abstract long order();

    long wakeAt() {
        return wakeAt;
    }

    /** True if it has changed, or is due to change by now, and was not judged since. */
    boolean hasChanged(long now) {
        return dirty || wakeAt <= now;
    }

    void wakeAt(long at) {
        wakeAt = at;
    }
}
