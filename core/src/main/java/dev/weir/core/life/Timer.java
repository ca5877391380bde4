package dev.weir.core.life;

import dev.weir.core.heap.Heap;
import dev.weir.core.limit.Moment;

/** Something with a due time. */
abstract sealed class Timer extends Heap.Node permits Run, Unit, Lease {
    long due = Moment.NEVER;

    /** Orders timers that are due at once by something that survives a restart: the run, then the step. */
    abstract long tie();

    /** Orders timers of one step. */
    abstract int item();

    @Override
    protected final long rank() {
        return due;
    }

    @Override
    protected final int compareWithinRank(Heap.Node other) {
        Timer timer = (Timer) other;
        return tie() != timer.tie() ? Long.compare(tie(), timer.tie()) : Integer.compare(item(), timer.item());
    }
}
