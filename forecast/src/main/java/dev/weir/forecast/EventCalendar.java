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
    private final PriorityQueue<DueEvent> entries =
            new PriorityQueue<>(Comparator.comparingLong(DueEvent::at).thenComparingLong(DueEvent::number));
    private long nextNumber;

    /** An event outside Weir. */
    sealed interface ExternalEvent {
        record RunArrives(int number) implements ExternalEvent {}

        record AttemptEnds(UnitId unit, long fence, boolean fails) implements ExternalEvent {}

        record HeartbeatDue(UnitId unit, long fence) implements ExternalEvent {}

        record PersonApproves(UnitId unit) implements ExternalEvent {}

        record SignalArrives(UnitId unit) implements ExternalEvent {}
    }

    private record DueEvent(long at, long number, ExternalEvent event) {}

    void schedule(long at, ExternalEvent event) {
        entries.add(new DueEvent(at, nextNumber, event));
        nextNumber++;
    }

    long nextTime() {
        DueEvent first = entries.peek();
        return first == null ? Moment.NEVER : first.at;
    }

    /** Removes and returns the next event that is due; null if there is none. */
    @Nullable
    ExternalEvent takeDue(long now) {
        DueEvent first = entries.peek();
        if (first == null || first.at > now) {
            return null;
        }
        entries.remove();
        return first.event;
    }
}
