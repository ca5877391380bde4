package dev.weir.core.definition;

/** The effect of a step's failure on its run. */
public enum OnFailure {
    FAIL,
    /** The run continues. Steps that need the failed step run, and can read its state. */
    CONTINUE,
    PAUSE,
    /** Completed steps are compensated in reverse order. */
    COMPENSATE
}
