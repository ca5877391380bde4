package dev.weir.postgres.journal;

import dev.weir.core.state.DebounceWindow;
import dev.weir.core.state.EventOutcome;
import dev.weir.core.state.EventRow;
import dev.weir.core.state.Move;
import dev.weir.core.state.ScheduleRow;
import dev.weir.core.state.TriggerId;
import dev.weir.core.state.UnitId;
import dev.weir.postgres.json.EventJson;
import dev.weir.postgres.json.StoredJson;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The changes of an organisation's events, debounce windows and schedules in one transaction. An event that is received
 * and delivered in the same transaction is one insert.
 */
final class EventChanges {
    private final Map<Long, EventRow> received = new LinkedHashMap<>();
    /** The numbers of triggers of delivered events, by event. */
    private final Map<Long, Integer> delivered = new LinkedHashMap<>();

    private final List<Move.EventHandled> handled = new ArrayList<>();
    private final Map<Long, DebounceWindow> windows = new LinkedHashMap<>();
    private final List<Move.WindowClosed> closed = new ArrayList<>();
    private final Map<TriggerId, Optional<ScheduleRow>> schedules = new TreeMap<>();

    void apply(Move.OfEvent move) {
        switch (move) {
            case Move.EventReceived event -> received.put(event.event().number(), event.event());
            case Move.EventHandled event -> handled.add(event);
            case Move.EventDelivered event -> delivered.put(event.event(), event.triggers());
            case Move.WindowMoved moved -> windows.put(moved.window().number(), moved.window());
            case Move.WindowClosed window -> closed.add(window);
            case Move.ScheduleMoved moved -> schedules.put(moved.row().trigger(), Optional.of(moved.row()));
            case Move.ScheduleEnded ended -> schedules.put(ended.trigger(), Optional.empty());
        }
    }

    void addTo(RowWrites writes, int org) {
        received.values().forEach(event -> addEvent(writes, org, event));
        delivered.forEach((event, triggers) -> {
            if (!received.containsKey(event)) {
                writes.add("update_events", org, event, triggers);
            }
        });
        handled.forEach(event -> addOutcome(writes, org, event));
        windows.values().forEach(window -> addWindow(writes, org, window));
        closed.forEach(window -> addClosed(writes, org, window));
        schedules.forEach((trigger, row) -> addSchedule(writes, org, trigger, row));
    }

    private void addEvent(RowWrites writes, int org, EventRow event) {
        UnitId unit = event.emittedBy();
        writes.add(
                "insert_events",
                org,
                event.number(),
                event.at(),
                event.id(),
                event.name(),
                event.source(),
                StoredJson.text(event.data()),
                unit == null ? null : unit.run(),
                unit == null ? null : unit.step(),
                unit == null ? null : unit.item(),
                EventJson.lineage(event.lineage()),
                event.fingerprint(),
                delivered.get(event.number()));
    }

    private static void addOutcome(RowWrites writes, int org, Move.EventHandled event) {
        EventOutcome outcome = event.outcome();
        writes.add(
                "insert_event_outcomes",
                org,
                event.event(),
                outcome.trigger().workflow(),
                outcome.trigger().trigger(),
                outcome.kind().word(),
                outcome.run(),
                outcome.window() == EventOutcome.NO_WINDOW ? null : outcome.window(),
                outcome.reason());
    }

    private static void addWindow(RowWrites writes, int org, DebounceWindow window) {
        writes.add(
                "upsert_debounce_windows",
                org,
                window.number(),
                window.trigger().workflow(),
                window.trigger().trigger(),
                window.key(),
                window.openedAt(),
                window.due(),
                window.events(),
                window.last().number());
    }

    private static void addClosed(RowWrites writes, int org, Move.WindowClosed window) {
        EventOutcome outcome = window.outcome();
        writes.add(
                "close_debounce_windows",
                org,
                window.window(),
                window.at(),
                outcome.kind().word(),
                outcome.run(),
                outcome.reason());
    }

    private static void addSchedule(RowWrites writes, int org, TriggerId trigger, Optional<ScheduleRow> row) {
        if (row.isPresent()) {
            ScheduleRow schedule = row.get();
            writes.add(
                    "upsert_schedules",
                    org,
                    trigger.workflow(),
                    trigger.trigger(),
                    schedule.handledTo(),
                    schedule.lastRun(),
                    schedule.problem());
        } else {
            writes.add("delete_schedules", org, trigger.workflow(), trigger.trigger());
        }
    }
}
