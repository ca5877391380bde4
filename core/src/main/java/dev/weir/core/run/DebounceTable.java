package dev.weir.core.run;

import dev.weir.core.definition.Trigger;
import dev.weir.core.limit.Moment;
import dev.weir.core.plan.Plan;
import dev.weir.core.state.DebounceWindow;
import dev.weir.core.state.EventOutcome;
import dev.weir.core.state.EventRow;
import dev.weir.core.state.EventRows;
import dev.weir.core.state.Move;
import dev.weir.core.state.TriggerId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The open debounce windows of an organisation, one for each trigger and key. A window ends after a quiet period, or
 * after the longest wait, and starts one run with its last event.
 */
final class DebounceTable {
    /** The largest number of open windows. */
    static final int OPEN_MAX = 10_000;
    /** The largest total size of their last events, in characters. */
    static final long OPEN_CHARS_MAX = 32L * 1_024 * 1_024;

    private final LiveOrganisation org;
    private final Map<WindowKey, OpenWindow> open = new HashMap<>();
    private long chars;
    private long lastWindow;

    private record WindowKey(TriggerId trigger, String key) {}

    DebounceTable(LiveOrganisation org) {
        this.org = org;
    }

    void restore(EventRows rows) {
        lastWindow = rows.lastWindow();
        for (DebounceWindow window : rows.windows()) {
            keep(new OpenWindow(window));
        }
    }

    private void keep(OpenWindow opened) {
        open.put(key(opened.window), opened);
        chars += opened.window.last().chars();
        org.timers.schedule(opened, opened.window.due());
    }

    private static WindowKey key(DebounceWindow window) {
        return new WindowKey(window.trigger(), window.key());
    }

    List<DebounceWindow> windows() {
        return open.values().stream()
                .map(opened -> opened.window)
                .sorted(Comparator.comparingLong(DebounceWindow::number))
                .toList();
    }

    long lastWindow() {
        return lastWindow;
    }

    /** Adds an event to the window of its key, which it opens if necessary. */
    EventOutcome add(TriggerId trigger, Trigger.Debounce debounce, String key, EventRow event, long now) {
        OpenWindow found = open.get(new WindowKey(trigger, key));
        if (found == null && (open.size() >= OPEN_MAX || chars + event.chars() > OPEN_CHARS_MAX)) {
            return EventOutcome.failed(
                    trigger,
                    "expected at most " + OPEN_MAX + " open debounce windows, and " + OPEN_CHARS_MAX
                            + " characters in them; the organisation has no room for another one");
        }
        OpenWindow joined = found == null ? open(trigger, debounce, key, event, now) : found;
        if (found != null) {
            chars += event.chars() - found.window.last().chars();
            found.window = found.window.withEvent(event, due(debounce, found.window.openedAt(), now));
            org.timers.schedule(found, found.window.due());
        }
        org.moves.add(new Move.WindowMoved(joined.window, now));
        return EventOutcome.debounced(trigger, joined.window.number());
    }

    private OpenWindow open(TriggerId trigger, Trigger.Debounce debounce, String key, EventRow event, long now) {
        lastWindow++;
        var opened =
                new OpenWindow(new DebounceWindow(lastWindow, trigger, key, now, due(debounce, now, now), 1, event));
        keep(opened);
        return opened;
    }

    private static long due(Trigger.Debounce debounce, long openedAt, long now) {
        long quiet = Moment.plus(now, Moment.micros(debounce.period()));
        return debounce.maxWait() == null
                ? quiet
                : Math.min(quiet, Moment.plus(openedAt, Moment.micros(debounce.maxWait())));
    }

    /** Ends a window: its last event starts a run. */
    void close(OpenWindow ended, long now) {
        DebounceWindow window = ended.window;
        Trigger.OnEvent trigger = findTrigger(window.trigger());
        EventOutcome outcome = trigger == null
                ? EventOutcome.failed(window.trigger(), "the newest version of the workflow has no such trigger")
                : org.triggeredRuns.start(window.trigger(), trigger, window.last(), now);
        open.remove(key(window));
        chars -= window.last().chars();
        org.moves.add(new Move.WindowClosed(window.number(), outcome, now));
        org.triggeredRuns.recordFailure(outcome, window.last(), now);
    }

    private Trigger.@Nullable OnEvent findTrigger(TriggerId id) {
        Plan plan = org.triggeredRuns.findPlan(id.workflow());
        for (Trigger trigger :
                plan == null ? List.<Trigger>of() : plan.workflow().triggers()) {
            if (trigger instanceof Trigger.OnEvent onEvent && onEvent.id().equals(id.trigger())) {
                return onEvent;
            }
        }
        return null;
    }
}
