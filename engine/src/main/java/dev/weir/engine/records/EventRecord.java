package dev.weir.engine.records;

import dev.weir.core.state.EventOutcome;
import dev.weir.core.state.EventRow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stored event and its outcomes.
 *
 * @param delivered true once all triggers have handled it
 * @param outcomes the outcomes so far, by trigger
 */
public record EventRecord(EventRow event, boolean delivered, List<Handled> outcomes) {
    public EventRecord {
        outcomes = List.copyOf(outcomes);
    }

    /**
     * An outcome at a trigger.
     *
     * @param window the state of the debounce window that the event went into; absent if it went into none
     */
    public record Handled(EventOutcome outcome, @Nullable WindowState window) {}

    /**
     * The state of a debounce window.
     *
     * @param due the time at which it ends at the latest if no more events come
     * @param events the number of its events
     * @param last true if this event is its last one so far
     * @param result the outcome of its last event; absent while the window is open
     */
    public record WindowState(
            String key,
            long due,
            int events,
            boolean last,
            @Nullable EventOutcome result) {}
}
