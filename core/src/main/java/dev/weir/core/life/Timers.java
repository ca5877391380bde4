package dev.weir.core.life;

import dev.weir.core.heap.Heap;
import dev.weir.core.limit.Moment;
import org.jspecify.annotations.Nullable;

/** Everything with a due time, the earliest first. */
final class Timers {
    private final Heap<Timer> heap = new Heap<>();

    long next() {
        Timer first = heap.peek();
        return first == null ? Moment.NEVER : first.due;
    }

    /** The earliest timer that is due, which is taken off. */
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
