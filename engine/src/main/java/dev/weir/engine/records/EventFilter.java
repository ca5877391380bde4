package dev.weir.engine.records;

import dev.weir.core.state.EventOutcome;
import org.jspecify.annotations.Nullable;

/**
 * A filter for events. An event must match all given criteria.
 *
 * @param name the name of the event; absent = any
 * @param workflow a workflow with a trigger that handled it; absent = any
 * @param outcome an outcome at one of the triggers; absent = any
 * @param withoutTrigger true for events that no trigger handled
 */
public record EventFilter(
        @Nullable String name, @Nullable String workflow, EventOutcome.@Nullable Kind outcome, boolean withoutTrigger) {
    public static EventFilter all() {
        return new EventFilter(null, null, null, false);
    }

    /** True if an event matches. */
    public boolean matches(EventRecord event) {
        return (name == null || name.equals(event.event().name()))
                && (!withoutTrigger || (event.delivered() && event.outcomes().isEmpty()))
                && ((workflow == null && outcome == null)
                        || event.outcomes().stream().anyMatch(this::matches));
    }

    private boolean matches(EventRecord.Handled handled) {
        EventRecord.WindowState window = handled.window();
        boolean isResult = window != null
                && window.last()
                && window.result() != null
                && window.result().kind() == outcome;
        return (workflow == null || workflow.equals(handled.outcome().trigger().workflow()))
                && (outcome == null || outcome == handled.outcome().kind() || isResult);
    }
}
