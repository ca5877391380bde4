package dev.weir.testkit.journal;

import dev.weir.core.state.EventOutcome;
import dev.weir.core.state.EventRow;
import dev.weir.core.state.Move;
import dev.weir.engine.records.EventRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All events of an organisation and their outcomes, built from its moves. */
final class EventHistory {
    private final Map<Long, EventRow> events = new LinkedHashMap<>();
    private final Map<Long, List<EventOutcome>> outcomes = new HashMap<>();
    private final Set<Long> delivered = new HashSet<>();
    private final Map<Long, Move.WindowMoved> windows = new HashMap<>();
    private final Map<Long, EventOutcome> results = new HashMap<>();

    void apply(Move.OfEvent move) {
        switch (move) {
            case Move.EventReceived received -> events.put(received.event().number(), received.event());
            case Move.EventHandled handled ->
                outcomes.computeIfAbsent(handled.event(), ignored -> new ArrayList<>())
                        .add(handled.outcome());
            case Move.EventDelivered done -> delivered.add(done.event());
            case Move.WindowMoved moved -> windows.put(moved.window().number(), moved);
            case Move.WindowClosed closed -> results.put(closed.window(), closed.outcome());
            case Move.ScheduleMoved ignored -> {}
            case Move.ScheduleEnded ignored -> {}
        }
    }

    Map<String, Integer> prints(Collection<String> ids) {
        Map<String, Integer> prints = new HashMap<>();
        for (EventRow event : events.values()) {
            if (ids.contains(event.id())) {
                prints.put(event.id(), event.fingerprint());
            }
        }
        return prints;
    }

    List<EventRecord> records() {
        List<EventRecord> records = new ArrayList<>();
        for (EventRow event : events.values()) {
            List<EventRecord.Handled> handled = new ArrayList<>();
            for (EventOutcome outcome : outcomes.getOrDefault(event.number(), List.of())) {
                handled.add(new EventRecord.Handled(outcome, window(outcome, event)));
            }
            records.add(new EventRecord(event, delivered.contains(event.number()), handled));
        }
        return records;
    }

    private EventRecord.@Nullable WindowState window(EventOutcome outcome, EventRow event) {
        Move.WindowMoved moved = windows.get(outcome.window());
        return moved == null
                ? null
                : new EventRecord.WindowState(
                        moved.window().key(),
                        moved.window().due(),
                        moved.window().events(),
                        moved.window().last().number() == event.number(),
                        results.get(outcome.window()));
    }
}
