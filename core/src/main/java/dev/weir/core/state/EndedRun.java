package dev.weir.core.state;

import java.util.Map;

/**
 * The remembered facts of a run that has ended, so that a repeated start or report gets the same answer again.
 *
 * @param startFingerprint the fingerprint of its start
 * @param reports the last report of each step and item that ended with one
 */
public record EndedRun(String run, RunState state, int startFingerprint, Map<UnitId, Report> reports) {
    /** The maximum number of remembered runs. */
    public static final int RUNS_MAX = 10_000;
    /** The maximum number of remembered steps and items of all these runs together. */
    public static final int UNITS_MAX = 100_000;

    /**
     * A report.
     *
     * @param fence the fence under which it came
     */
    public record Report(long fence, int fingerprint) {}
}
