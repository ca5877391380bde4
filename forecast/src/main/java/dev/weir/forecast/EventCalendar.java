package dev.weir.forecast;

import dev.weir.core.limit.Moment;
import dev.weir.core.state.UnitId;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The future events outside Weir, ordered by virtual time. Events at the same time keep the order in which they were
 * added.
 */
final class EventCalendar {
    private final PriorityQueue<Entry> entries =
            new PriorityQueue<>(Comparator.comparingLong(Entry::at).thenComparingLong(Entry::number));
    private long entered;

    /** An event outside Weir. */
    sealed interface Happening {
        record RunComes(int number) implements Happening {}

        record BodyEnds(UnitId unit, long fence, boolean fails) implements Happening {}

        record BodyBeats(UnitId unit, long fence) implements Happening {}

        record PersonApproves(UnitId unit) implements Happening {}

        record SignalComes(UnitId unit) implements Happening {}
    }

    private record Entry(long at, long number, Happening what) {}

    void enter(long at, Happening what) {
        entries.add(new Entry(at, entered, what));
        entered++;
    }

    long next() {
        Entry first = entries.peek();
        return first == null ? Moment.NEVER : first.at;
    }

    /** Removes and returns the next event that is due; null if there is none. */
    @Nullable
    Happening takeDue(long now) {
        Entry first = entries.peek();
        if (first == null || first.at > now) {
            return null;
        }
        entries.remove();
        return first.what;
    }
}
