package dev.weir.core.admission;

import dev.weir.core.heap.Heap;
import dev.weir.core.limit.Moment;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** The places to look at again: those that have changed, and those that will change by themselves at a known time. */
final class Agenda {
    private final ArrayDeque<Place> dirty = new ArrayDeque<>();
    private final Heap<Place> timers = new Heap<>();

    /** The place that has waited longest to be looked at, if any. */
    @Nullable
    Place next() {
        return dirty.peek();
    }

    /** Notes that the next place has been looked at. */
    void seenTo(Place place) {
        dirty.remove();
        place.dirty = false;
    }

    /** Notes that a place has changed, so that what is parked there is looked at again. */
    void changed(Place place) {
        if (!place.dirty) {
            place.dirty = true;
            dirty.add(place);
        }
    }

    /** Looks at a place again by then at the latest. A time that is due already, and not yet seen to, stands. */
    void scheduleBy(Place place, long at) {
        if (at < place.wakeAt()) {
            schedule(place, at);
        }
    }

    void schedule(Place place, long at) {
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
        Place next = timers.peek();
        return next == null ? Moment.NEVER : next.wakeAt();
    }

    /** Notes the changes that time itself has brought. */
    void due(long now) {
        for (Place place = timers.peek(); place != null && place.wakeAt() <= now; place = timers.peek()) {
            schedule(place, place instanceof SharedLimit limit ? limit.expire(now) : Moment.NEVER);
            changed(place);
        }
    }
}
