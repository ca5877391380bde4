package dev.weir.core.life;

import dev.weir.core.limit.Moment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Everything with a due time, the earliest on top; a member can be moved or removed wherever it is. */
@SuppressWarnings("ReferenceEquality") // members are told apart by who they are
final class Timers {
    private static final int INITIAL = 16;

    private Timer[] heap = new Timer[INITIAL];
    private int size;

    long next() {
        return size == 0 ? Moment.NEVER : heap[0].due;
    }

    /** The earliest timer that is due, which is taken off. */
    @Nullable
    Timer takeDue(long now) {
        if (size == 0 || heap[0].due > now) {
            return null;
        }
        Timer first = heap[0];
        cancel(first);
        return first;
    }

    void schedule(Timer timer, long due) {
        cancel(timer);
        if (due == Moment.NEVER) {
            return;
        }
        timer.due = due;
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, size * 2);
        }
        size++;
        up(size - 1, timer);
    }

    @SuppressWarnings("NullAway") // what lies beyond the size is cleared, and never read
    void cancel(Timer timer) {
        int place = timer.place;
        timer.due = Moment.NEVER;
        if (place == Timer.NOWHERE) {
            return;
        }
        timer.place = Timer.NOWHERE;
        size--;
        Timer last = heap[size];
        heap[size] = null;
        if (last != timer) {
            up(place, last);
            if (last.place == place) {
                down(place, last);
            }
        }
    }

    private void up(int from, Timer timer) {
        int place = from;
        while (place > 0 && timer.before(heap[(place - 1) / 2])) {
            put(place, heap[(place - 1) / 2]);
            place = (place - 1) / 2;
        }
        put(place, timer);
    }

    private void down(int from, Timer timer) {
        int place = from;
        while (2 * place + 1 < size) {
            int child = 2 * place + 1;
            if (child + 1 < size && heap[child + 1].before(heap[child])) {
                child++;
            }
            if (!heap[child].before(timer)) {
                break;
            }
            put(place, heap[child]);
            place = child;
        }
        put(place, timer);
    }

    private void put(int place, Timer timer) {
        heap[place] = timer;
        timer.place = place;
    }
}
