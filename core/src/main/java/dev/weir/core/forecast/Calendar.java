package dev.weir.core.forecast;

import dev.weir.core.life.UnitId;
import dev.weir.core.limit.Moment;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** What is to happen outside Weir, by its virtual time; of what comes at one time, what was entered first. */
final class Calendar {
    private final PriorityQueue<Entry> entries =
            new PriorityQueue<>(Comparator.comparingLong(Entry::at).thenComparingLong(Entry::number));
    private long entered;

    /** Something that happens. */
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

    /** The next that is due, which is taken off. */
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
