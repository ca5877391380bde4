package dev.weir.core.definition;

/** The runs that a schedule starts for times at which Weir was not running. */
public enum MissedRuns {
    /** None. */
    SKIP,
    /** One run, for the last missed time. */
    ONCE,
    /** A run for each missed time, up to a bound. */
    ALL
}
