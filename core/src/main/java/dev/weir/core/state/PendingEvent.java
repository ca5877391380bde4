package dev.weir.core.state;

import org.jspecify.annotations.Nullable;

/**
 * An event that some triggers have not handled yet.
 *
 * @param handledTo the last trigger that has handled it; absent = none has
 * @param handled the number of triggers that have handled it
 */
public record PendingEvent(EventRow event, @Nullable TriggerId handledTo, int handled) {
    /** Returns the event after the next trigger has handled it. */
    public PendingEvent after(TriggerId trigger) {
        return new PendingEvent(event, trigger, handled + 1);
    }
}
