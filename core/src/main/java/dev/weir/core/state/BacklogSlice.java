package dev.weir.core.state;

import java.util.List;

/**
 * A part of the unfinished work of an organisation, as rows.
 *
 * @param end the position at which the next slice begins
 * @param complete true if no run follows
 * @param oversized true if the next run has more units than a slice may have
 */
public record BacklogSlice(
        List<RunRow> runs,
        List<StepRow> steps,
        List<Claim> claims,
        List<Signal> signals,
        Position end,
        boolean complete,
        boolean oversized) {
    public BacklogSlice {
        runs = List.copyOf(runs);
        steps = List.copyOf(steps);
        claims = List.copyOf(claims);
        signals = List.copyOf(signals);
    }

    /** The number of rows of steps and runs. */
    public int units() {
        return runs.size() + steps.size();
    }

    /**
     * A position between two runs.
     *
     * @param number the number of the last visited run
     * @param visited the runs visited so far
     * @param marks the ids of the runs that were visited last, the newest first. A reader finds its way back by the
     *     first of them that is still live
     */
    public record Position(long number, long visited, List<String> marks) {
        public static final Position START = new Position(Long.MIN_VALUE, 0, List.of());

        public Position {
            marks = List.copyOf(marks);
        }
    }

    /**
     * The size of a slice.
     *
     * @param unitsMax the most rows of steps and runs
     * @param runsMax the most runs that are visited
     * @param oneIn of how many units one is taken; 1 = all of them
     */
    public record Size(int unitsMax, int runsMax, int oneIn) {}
}
