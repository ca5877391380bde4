package dev.weir.core.definition;

/** The effect of a cancel on steps that are running. No further step starts in either case. */
public enum CancelPolicy {
    /** Running steps may finish, and their results count. */
    ALLOW_FINISH,
    /** The workers of running steps are told to stop. */
    CANCEL_RUNNING
}
