package dev.weir.core.admission;

import dev.weir.core.heap.IndexedHeap;
import dev.weir.core.limit.Moment;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** The wait points to judge again: those that have changed, and those that change by themselves at a known time. */
final class DirtyQueue {
    private final ArrayDeque<WaitPoint> dirty = new ArrayDeque<>();
    private final IndexedHeap<WaitPoint> timers = new IndexedHeap<>();

    /** The changed wait point that has waited longest to be judged, if any. */
    @Nullable
    WaitPoint next() {
        return dirty.peek();
    }

    /** Records that the next wait point has been judged. */
    void seenTo(WaitPoint place) {
        dirty.remove();
        place.dirty = false;
    }

    /** Records that a wait point has changed, so that what is parked there is judged again. */
    void changed(WaitPoint place) {
        if (!place.dirty) {
            place.dirty = true;
            dirty.add(place);
        }
    }

    /**
     * Schedules the next judgement of a wait point for this time at the latest. An earlier time stays, even if it is
     * already due.
     */
    void scheduleBy(WaitPoint place, long at) {
        if (at < place.wakeAt()) {
            schedule(place, at);
        }
    }

    void schedule(WaitPoint place, long at) {
        if (at == place.wakeAt()) {
            return;
        }
        if (place.inHeap()) {
            timers.remove(place);
        }
        place.wakeAt(at);
        if (at != Moment.NEVER) {
            timers.add(place);
        }
    }

    long nextTimer() {
        WaitPoint next = timers.peek();
        return next == null ? Moment.NEVER : next.wakeAt();
    }

    /** Marks the wait points whose time has come as changed. */
    void due(long now) {
        for (WaitPoint place = timers.peek(); place != null && place.wakeAt() <= now; place = timers.peek()) {
            schedule(place, place instanceof SharedLimit limit ? limit.expire(now) : Moment.NEVER);
            changed(place);
        }
    }
}
