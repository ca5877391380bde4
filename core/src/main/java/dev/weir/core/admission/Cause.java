package dev.weir.core.admission;

/** Why a limit, or something that is like one, refuses a ticket. */
public enum Cause {
    /** A capacity has too little room. */
    CAPACITY,
    /** A rate has no start left in its window. */
    RATE,
    /** An operator has paused the key or the run. */
    PAUSED,
    /** The ticket is wider than a pin, an override or a limit; it cannot start until that changes. */
    OVER_CAPACITY,
    /** The room is kept for a ticket that was overtaken too often. */
    RESERVED,
    /** Nobody polls for the module. */
    NO_WORKER
}
