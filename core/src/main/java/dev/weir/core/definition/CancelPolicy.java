package dev.weir.core.definition;

/** What a cancel does to the steps that are running; nothing more starts in either case. */
public enum CancelPolicy {
    /** They may end by themselves, and their results count. */
    ALLOW_FINISH,
    /** Their workers are told to stop. */
    CANCEL_RUNNING
}
