package dev.weir.core.life;

import java.util.Map;

/**
 * What is remembered of a run that has ended, so that a repeated start or report is answered as it was.
 *
 * @param body the fingerprint of its start
 * @param reports the last report of each step and item that ended with one
 */
public record EndedRun(String run, RunState state, int body, Map<UnitId, Report> reports) {
    /** Runs that are remembered. */
    public static final int RUNS_MAX = 10_000;
    /** Steps and items that are remembered, of all these runs together. */
    public static final int UNITS_MAX = 100_000;

    /**
     * A report.
     *
     * @param fence under which it came
     */
    public record Report(long fence, int fingerprint) {}
}
