package dev.weir.core.state;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The stored state of an organisation's triggers.
 *
 * @param pending the events that some triggers have not handled yet, oldest first
 * @param windows the open debounce windows, by number
 * @param schedules the progress of the schedules
 * @param lastEvent the number of the last event; 0 = none
 * @param lastWindow the number of the last debounce window; 0 = none
 */
public record EventRows(
        List<PendingEvent> pending,
        List<DebounceWindow> windows,
        SortedMap<TriggerId, ScheduleRow> schedules,
        long lastEvent,
        long lastWindow) {
    public static final EventRows NONE = new EventRows(List.of(), List.of(), new TreeMap<>(), 0, 0);

    public EventRows {
        pending = List.copyOf(pending);
        windows = List.copyOf(windows);
        schedules = Collections.unmodifiableSortedMap(new TreeMap<>(schedules));
    }
}
