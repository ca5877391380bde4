package dev.weir.core.run;

import dev.weir.core.heap.IndexedHeap;
import dev.weir.core.limit.Moment;
import org.jspecify.annotations.Nullable;

/** A queue of everything with a due time, earliest first. */
final class TimerQueue {
    private final IndexedHeap<Timer> heap = new IndexedHeap<>();

    long next() {
        Timer first = heap.peek();
        return first == null ? Moment.NEVER : first.due;
    }

    /** Removes and returns the earliest timer that is due; null if none is. */
    @Nullable
    Timer takeDue(long now) {
        Timer first = heap.peek();
        if (first == null || first.due > now) {
            return null;
        }
        cancel(first);
        return first;
    }

    void schedule(Timer timer, long due) {
        cancel(timer);
        if (due != Moment.NEVER) {
            timer.due = due;
            heap.add(timer);
        }
    }

    void cancel(Timer timer) {
        if (timer.inHeap()) {
            heap.remove(timer);
        }
        timer.due = Moment.NEVER;
    }
}
