package dev.weir.testkit.journal;

import dev.weir.core.state.DebounceWindow;
import dev.weir.core.state.EventRows;
import dev.weir.core.state.Move;
import dev.weir.core.state.PendingEvent;
import dev.weir.core.state.ScheduleRow;
import dev.weir.core.state.TriggerId;
import dev.weir.core.state.WorkflowVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Computes the rows of events, debounce windows and schedules from all moves of an organisation. */
final class ExpectedEvents {
    private final List<Move> moves;

    private ExpectedEvents(List<Move> moves) {
        this.moves = moves;
    }

    static EventRows of(List<Move> moves) {
        return new ExpectedEvents(moves).rows();
    }

    private EventRows rows() {
        List<PendingEvent> pending = new ArrayList<>();
        SortedMap<Long, DebounceWindow> windows = new TreeMap<>();
        SortedMap<TriggerId, ScheduleRow> schedules = new TreeMap<>();
        long lastEvent = 0;
        long lastWindow = 0;
        for (int i = 0; i < moves.size(); i++) {
            Move move = moves.get(i);
            if (move instanceof Move.EventReceived received) {
                lastEvent = received.event().number();
                addIfPending(received, moves.subList(i, moves.size()), pending);
            } else if (move instanceof Move.WindowMoved moved) {
                lastWindow = Math.max(lastWindow, moved.window().number());
                windows.put(moved.window().number(), moved.window());
            } else if (move instanceof Move.WindowClosed closed) {
                windows.remove(closed.window());
            } else if (move instanceof Move.ScheduleMoved moved) {
                schedules.put(moved.row().trigger(), moved.row());
            } else if (move instanceof Move.ScheduleEnded ended) {
                schedules.remove(ended.trigger());
            }
        }
        return new EventRows(pending, List.copyOf(windows.values()), schedules, lastEvent, lastWindow);
    }

    private static void addIfPending(Move.EventReceived received, List<Move> since, List<PendingEvent> pending) {
        long number = received.event().number();
        TriggerId handledTo = null;
        int count = 0;
        for (Move move : since) {
            if (move instanceof Move.EventDelivered delivered && delivered.event() == number) {
                return;
            }
            if (move instanceof Move.EventHandled handled && handled.event() == number) {
                handledTo = handled.outcome().trigger();
                count++;
            }
        }
        pending.add(new PendingEvent(received.event(), handledTo, count));
    }

    /** Returns the newest versions of workflows, with their triggers. */
    static SortedMap<String, WorkflowVersion> workflows(List<Move> moves) {
        SortedMap<String, WorkflowVersion> workflows = new TreeMap<>();
        for (Move move : moves) {
            if (move instanceof Move.WorkflowRegistered added) {
                workflows.put(
                        added.workflow().name(), WorkflowVersion.of(added.workflow(), added.version(), added.hash()));
            }
        }
        return workflows;
    }
}
