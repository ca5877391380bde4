package dev.weir.simulator;

import static dev.weir.simulator.Violation.require;

import dev.weir.core.state.EventOutcome;
import dev.weir.core.state.EventRow;
import dev.weir.core.state.Move;
import dev.weir.core.state.RunRow;
import dev.weir.core.state.TriggerId;
import dev.weir.core.state.UnitId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Checks events by the definitions of {@link EventSenders}: every event is handled once by each of its triggers, a burst
 * starts one run with its last event at its time, and no chain of runs and events is too long.
 */
final class EventCheck {
    private final Set<Coverage> coverage;
    private final Map<Long, EventRow> events = new HashMap<>();
    private final Map<String, EventRow> byId = new HashMap<>();
    private final Map<Long, Set<TriggerId>> handled = new HashMap<>();
    private final Set<Long> delivered = new HashSet<>();
    private final Map<Long, Burst> open = new HashMap<>();
    private final Set<Long> closed = new HashSet<>();
    /** The events that started runs, by run. */
    private final Map<String, EventRow> causes = new HashMap<>();

    private final Map<String, JsonNode> inputs = new HashMap<>();

    /** A burst of events, as their outcomes show it. */
    private static final class Burst {
        private final String key;
        private final long firstAt;
        private long lastAt;
        private EventRow last;

        Burst(String key, long at, EventRow event) {
            this.key = key;
            this.firstAt = at;
            this.lastAt = at;
            this.last = event;
        }
    }

    EventCheck(Set<Coverage> coverage) {
        this.coverage = coverage;
    }

    void noteAccepted(RunRow row) {
        inputs.put(row.id(), row.input());
    }

    void check(Move.OfEvent move) {
        switch (move) {
            case Move.EventReceived received -> checkReceived(received.event());
            case Move.EventHandled event -> checkHandled(event);
            case Move.EventDelivered event -> checkDelivered(event);
            case Move.WindowMoved ignored -> {}
            case Move.WindowClosed window -> checkClosed(window);
            case Move.ScheduleMoved ignored -> {}
            case Move.ScheduleEnded ignored -> {}
        }
    }

    private void checkReceived(EventRow event) {
        require(!byId.containsKey(event.id()), "S7", "event %s was received twice", event.id());
        byId.put(event.id(), event);
        events.put(event.number(), event);
    }

    private Set<TriggerId> handledBy(long event) {
        return handled.computeIfAbsent(event, ignored -> new HashSet<>());
    }

    private static <T> T known(@Nullable T value, String promise, String what, Object id) {
        require(value != null, promise, "expected the %s %s, found none", what, id);
        return Objects.requireNonNull(value);
    }

    private void checkHandled(Move.EventHandled move) {
        EventRow event = known(events.get(move.event()), "S7", "event", move.event());
        EventOutcome outcome = move.outcome();
        require(
                handledBy(move.event()).add(outcome.trigger()),
                "S7",
                "%s handled event %s twice",
                outcome.trigger(),
                event.id());
        switch (outcome.trigger().trigger()) {
            case "big" -> {
                boolean starts = event.data().path("n").intValue() > 2;
                coverage.add(starts ? Coverage.EVENT_STARTED : Coverage.EVENT_FILTERED);
                requireKind(outcome, starts ? EventOutcome.Kind.STARTED : EventOutcome.Kind.FILTERED, event);
            }
            case "burst" -> addToBurst(outcome, event, move.at());
            default -> {
                boolean starts = length(event) <= EventSenders.LOOP_DEPTH_MAX;
                if (!starts) {
                    coverage.add(Coverage.EVENT_CASCADE);
                }
                require(
                        (outcome.kind() == EventOutcome.Kind.STARTED) == starts,
                        "R4.6",
                        "event %s after %s runs and events: %s",
                        event.id(),
                        length(event),
                        outcome);
            }
        }
        if (outcome.run() != null) {
            require(inputs.containsKey(outcome.run()), "S7", "event %s started %s", event.id(), outcome);
            causes.put(outcome.run(), event);
        }
    }

    private static void requireKind(EventOutcome outcome, EventOutcome.Kind expected, EventRow event) {
        require(outcome.kind() == expected, "R4.5", "event %s: expected %s, found %s", event.id(), expected, outcome);
    }

    /** The number of runs, and of emitted events, before a run that the event would start. */
    private int length(EventRow event) {
        int length = 0;
        EventRow next = event;
        for (UnitId unit = next.emittedBy(); unit != null; unit = next.emittedBy()) {
            length += 2;
            next = known(causes.get(unit.run()), "R4.6", "cause of run", unit.run());
        }
        return length;
    }

    private void addToBurst(EventOutcome outcome, EventRow event, long at) {
        requireKind(outcome, EventOutcome.Kind.DEBOUNCED, event);
        String key = event.data().path("k").asString();
        require(!closed.contains(outcome.window()), "R4.5", "event %s joins a burst that has ended", event.id());
        for (Map.Entry<Long, Burst> other : open.entrySet()) {
            require(
                    other.getKey() == outcome.window() || !other.getValue().key.equals(key),
                    "R4.5",
                    "event %s opens a second burst of %s",
                    event.id(),
                    key);
        }
        Burst burst = open.computeIfAbsent(outcome.window(), ignored -> new Burst(key, at, event));
        coverage.add(burst.last.equals(event) ? Coverage.BURST_OPENED : Coverage.BURST_MERGED);
        burst.lastAt = at;
        burst.last = event;
    }

    private void checkClosed(Move.WindowClosed window) {
        Burst burst = known(open.remove(window.window()), "R4.5", "open burst", window.window());
        closed.add(window.window());
        long due = Math.min(burst.lastAt + EventSenders.PERIOD, burst.firstAt + EventSenders.MAX_WAIT);
        require(window.at() >= due, "R4.5", "a burst that is due at %s ended at %s", due, window.at());
        String run = known(window.outcome().run(), "R4.5", "run of burst", window.window());
        require(
                burst.last.data().equals(inputs.get(run)),
                "R4.5",
                "run %s has the input %s, and the last event was %s",
                run,
                inputs.get(run),
                burst.last);
        causes.put(run, burst.last);
    }

    private void checkDelivered(Move.EventDelivered move) {
        EventRow event = known(events.get(move.event()), "S7", "event", move.event());
        require(delivered.add(move.event()), "S7", "event %s was delivered twice", event.id());
        int triggers = switch (event.name()) {
            case EventSenders.EVENT -> 2;
            case EventSenders.LOOP -> 1;
            default -> 0;
        };
        require(
                handledBy(move.event()).size() == triggers && move.triggers() == triggers,
                "S7",
                "event %s was handled by %s",
                event.id(),
                handledBy(move.event()));
    }

    /** True if all events are delivered and all bursts have ended. */
    boolean isSettled() {
        return delivered.containsAll(events.keySet()) && open.isEmpty();
    }

    void checkDrained(Set<String> acknowledged) {
        for (String id : acknowledged) {
            require(byId.containsKey(id), "S7", "event %s was acknowledged and is not stored", id);
        }
        require(isSettled(), "S7", "events wait after draining: %s delivered of %s", delivered, events.keySet());
    }
}
