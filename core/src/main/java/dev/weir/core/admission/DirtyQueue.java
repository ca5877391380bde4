package dev.weir.core.admission;

import dev.weir.core.heap.IndexedHeap;
import dev.weir.core.limit.LimitId;
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
    void markClean(WaitPoint waitPoint) {
        dirty.remove();
        waitPoint.dirty = false;
    }

    /** Records that a wait point has changed, so that what is parked there is judged again. */
    void markDirty(WaitPoint waitPoint) {
        if (!waitPoint.dirty) {
            waitPoint.dirty = true;
            dirty.add(waitPoint);
        }
    }

    /** Records that the value of all run keys of a workflow has changed. */
    void markRunKeysDirty(Iterable<SharedLimit> limits, String workflow) {
        for (SharedLimit limit : limits) {
            if (limit.parkedCount > 0
                    && limit.id instanceof LimitId.RunKey key
                    && key.workflow().equals(workflow)) {
                markDirty(limit);
            }
        }
    }

    /**
     * Schedules the next judgement of a wait point for this time at the latest. An earlier time stays, even if it is
     * already due.
     */
    void scheduleBy(WaitPoint waitPoint, long at) {
        if (at < waitPoint.wakeAt()) {
            schedule(waitPoint, at);
        }
    }

    void schedule(WaitPoint waitPoint, long at) {
        if (at == waitPoint.wakeAt()) {
            return;
        }
        if (waitPoint.inHeap()) {
            timers.remove(waitPoint);
        }
        waitPoint.wakeAt(at);
        if (at != Moment.NEVER) {
            timers.add(waitPoint);
        }
    }

    long nextTimer() {
        WaitPoint next = timers.peek();
        return next == null ? Moment.NEVER : next.wakeAt();
    }

    /** Marks the wait points whose time has come as changed. */
    void markDue(long now) {
        for (WaitPoint waitPoint = timers.peek();
                waitPoint != null && waitPoint.wakeAt() <= now;
                waitPoint = timers.peek()) {
            schedule(waitPoint, waitPoint instanceof SharedLimit limit ? limit.expire(now) : Moment.NEVER);
            markDirty(waitPoint);
        }
    }
}
