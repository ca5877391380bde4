package dev.weir.core.admission;

/** What a ticket, holding or poll stands for: a step, an item, a run, a worker's request. Admission hands it back. */
public interface Subject {
    /** How much of the answer to a poll it takes, in characters of JSON. */
    default int load() {
        return 0;
    }
}
