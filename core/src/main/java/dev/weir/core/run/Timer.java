package dev.weir.core.run;

import dev.weir.core.heap.IndexedHeap;
import dev.weir.core.limit.Moment;

/** An object with a due time. */
abstract sealed class Timer extends IndexedHeap.Node permits Run, Unit, LiveClaim, OpenWindow, ActiveSchedule {
    long due = Moment.NEVER;

    /** The order of timers with the same due time. It survives a restart: the run, then the step. */
    abstract long tieBreaker();

    /** The order of timers of one step. */
    abstract int item();

    @Override
    protected final long rank() {
        return due;
    }

    @Override
    protected final int compareWithinRank(IndexedHeap.Node other) {
        Timer timer = (Timer) other;
        return tieBreaker() != timer.tieBreaker()
                ? Long.compare(tieBreaker(), timer.tieBreaker())
                : Integer.compare(item(), timer.item());
    }
}
