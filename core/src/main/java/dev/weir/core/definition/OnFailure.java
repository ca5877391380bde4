package dev.weir.core.definition;

/** What a step's failure does to its run. */
public enum OnFailure {
    FAIL,
    /** The run goes on; steps that need the failed one run, and can see its state. */
    CONTINUE,
    PAUSE,
    /** What was completed is undone in reverse order. */
    COMPENSATE
}
