package dev.weir.core.admission;

import dev.weir.core.heap.Heap;
import dev.weir.core.limit.Moment;

/**
 * Where tickets are parked: a shared limit or a run. It is looked at again when it changes, or when the time comes at
 * which it changes by itself.
 */
abstract sealed class Place extends Heap.Node permits SharedLimit, RunGate {
    private long wakeAt = Moment.NEVER;
    /** Whether it has changed since it was looked at. */
    boolean dirty;

    @Override
    protected final long rank() {
        return wakeAt;
    }

    @Override
    protected final int compareWithinRank(Heap.Node other) {
        return Long.compare(order(), ((Place) other).order());
    }

    /** Orders places that wake at the same time. */
    abstract long order();

    long wakeAt() {
        return wakeAt;
    }

    /** Whether it has changed, or does so by now, and was not looked at since. */
    boolean changed(long now) {
        return dirty || wakeAt <= now;
    }

    void wakeAt(long at) {
        wakeAt = at;
    }
}
