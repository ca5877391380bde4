package dev.weir.core.state;

/**
 * A burst of events of one trigger and debounce key that starts one run, with the last event, once it is due.
 *
 * @param number the number of the window within its organisation, from 1
 * @param due the end of the quiet period, or of the longest wait
 * @param events the number of events so far
 * @param last the last event
 */
public record DebounceWindow(
        long number, TriggerId trigger, String key, long openedAt, long due, int events, EventRow last) {
    /** Returns the window after one more event. */
    public DebounceWindow withEvent(EventRow event, long newDue) {
        return new DebounceWindow(number, trigger, key, openedAt, newDue, events + 1, event);
    }
}
