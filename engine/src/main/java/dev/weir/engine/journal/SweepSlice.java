package dev.weir.engine.journal;

import dev.weir.core.state.RunState;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import java.util.List;

/**
 * A part of an organisation's runs, with their open steps and items, that one sweep compares.
 *
 * @param lastRun number of the last run in the slice; the next slice begins after it
 * @param hasMore true if there are runs after it
 * @param truncated true if the slice is one run with too many open steps and items, of which only the first are here
 */
public record SweepSlice(
        List<RunSummary> runs, List<StepSummary> steps, long lastRun, boolean hasMore, boolean truncated) {
    public SweepSlice {
        runs = List.copyOf(runs);
        steps = List.copyOf(steps);
    }

    /** An unfinished run. */
    public record RunSummary(String run, long number, RunState state) {}

    /** An open step or item. */
    public record StepSummary(UnitId unit, StepState state, long fence) {}

    /**
     * Returns as many of these runs as have at most {@code units} open steps and items together. The slice contains at
     * least one run, which is cut if necessary.
     *
     * @param runs runs in the order of their numbers; at least one if there are steps
     * @param steps steps of these runs in the same order; one more than {@code units} if there are more
     */
    public static SweepSlice bounded(List<RunSummary> runs, List<StepSummary> steps, boolean hasMore, int units) {
        if (steps.size() <= units) {
            return new SweepSlice(
                    runs, steps, runs.isEmpty() ? 0 : runs.getLast().number(), hasMore, false);
        }
        String overflowRun = steps.get(units).unit().run();
        boolean isSingleRun = runs.getFirst().run().equals(overflowRun)
                || steps.getFirst().unit().run().equals(overflowRun);
        int wholeRuns = 0;
        while (!runs.get(wholeRuns).run().equals(overflowRun)) {
            wholeRuns++;
        }
        List<RunSummary> keptRuns = runs.subList(0, isSingleRun ? wholeRuns + 1 : wholeRuns);
        List<StepSummary> keptSteps = isSingleRun
                ? steps.subList(0, units)
                : steps.stream()
                        .filter(step -> !step.unit().run().equals(overflowRun))
                        .toList();
        return new SweepSlice(keptRuns, keptSteps, keptRuns.getLast().number(), true, isSingleRun);
    }
}
