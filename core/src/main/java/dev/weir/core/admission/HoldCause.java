package dev.weir.core.admission;

/** The cause for which a limit, or something like a limit, refuses a ticket. */
public enum HoldCause implements LimitVerdict {
    /** A capacity has too little room. */
    CAPACITY,
    /** A rate has no start left in its window. */
    RATE,
    /** An operator has paused the key or the run. */
    PAUSED,
    /** The ticket is larger than a pin, an override or a limit. It cannot start until that changes. */
    OVER_CAPACITY,
    /** The room is reserved for a ticket that was overtaken too often. */
    RESERVED,
    /** No worker polls for the module. */
    NO_WORKER
}
