package dev.weir.core.state;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Keeps the rows of events, debounce windows and schedules by applying moves. */
final class EventRowsBuilder {
    private final SortedMap<Long, PendingEvent> pending = new TreeMap<>();
    private final SortedMap<Long, DebounceWindow> windows = new TreeMap<>();
    private final SortedMap<TriggerId, ScheduleRow> schedules = new TreeMap<>();
    private long lastEvent;
    private long lastWindow;

    void apply(Move.OfEvent move) {
        switch (move) {
            case Move.EventReceived received -> {
                lastEvent = received.event().number();
                pending.put(lastEvent, new PendingEvent(received.event(), null, 0));
            }
            case Move.EventHandled handled ->
                pending.computeIfPresent(
                        handled.event(),
                        (number, event) -> new PendingEvent(
                                event.event(), handled.outcome().trigger(), event.handled() + 1));
            case Move.EventDelivered delivered -> pending.remove(delivered.event());
            case Move.WindowMoved moved -> {
                windows.put(moved.window().number(), moved.window());
                lastWindow = Math.max(lastWindow, moved.window().number());
            }
            case Move.WindowClosed closed -> windows.remove(closed.window());
            case Move.ScheduleMoved moved -> schedules.put(moved.row().trigger(), moved.row());
            case Move.ScheduleEnded ended -> schedules.remove(ended.trigger());
        }
    }

    EventRows rows() {
        return new EventRows(
                List.copyOf(pending.values()), List.copyOf(windows.values()), schedules, lastEvent, lastWindow);
    }
}
