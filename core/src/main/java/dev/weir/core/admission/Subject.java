package dev.weir.core.admission;

/**
 * The owner of a ticket, allocation or poll: a step, an item, a run, or a worker's request. Admission only hands it
 * back.
 */
public interface Subject {
    /** Its size in the response to a poll, in characters of JSON. */
    default int responseSize() {
        return 0;
    }

    /** True if the claim, or the run's place, that was granted with this allocation is still live. */
    default boolean isLive(Allocation allocation) {
        return true;
    }
}
