package dev.weir.core.command;

import dev.weir.core.state.EventOutcome;
import dev.weir.core.state.EventRow;
import dev.weir.core.state.TriggerSubmission;

/** Receives the events of an organisation. */
public interface EventControl {
    /** Finds the fingerprint of an event that was received since the last advance; null if there is none. */
    @org.jspecify.annotations.Nullable
    Integer findReceived(String id);

    /** True if so many events wait for their triggers that no more should be received. */
    boolean isFull();

    /** Accepts an event. The next advances deliver it to its triggers. Returns it with its number. */
    EventRow receive(ReceiveEvent command, long now);

    /** Starts the run of one trigger for work that it could not take before. Debounce does not delay it again. */
    EventOutcome submit(TriggerSubmission submission, long now);
}
