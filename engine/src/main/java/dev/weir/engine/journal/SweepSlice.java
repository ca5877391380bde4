package dev.weir.engine.journal;

import dev.weir.core.state.RunState;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import java.util.List;

/**
 * A part of an organisation's runs, with their open steps and items, that one sweep compares.
 *
 * @param lastRun number of the last run in the slice; the next slice begins after it
 * @param more true if there are runs after it
 * @param cut true if the slice is one run with too many open steps and items, of which only the first are here
 */
public record SweepSlice(List<RunMark> runs, List<StepMark> steps, long lastRun, boolean more, boolean cut) {
    public SweepSlice {
        runs = List.copyOf(runs);
        steps = List.copyOf(steps);
    }

    /** An unfinished run. */
    public record RunMark(String run, long number, RunState state) {}

    /** An open step or item. */
    public record StepMark(UnitId unit, StepState state, long fence) {}

    /**
     * Returns as many of these runs as have at most {@code units} open steps and items together. The slice contains at
     * least one run, which is cut if necessary.
     *
     * @param runs runs in the order of their numbers; at least one if there are steps
     * @param steps steps of these runs in the same order; one more than {@code units} if there are more
     */
    public static SweepSlice bounded(List<RunMark> runs, List<StepMark> steps, boolean more, int units) {
        if (steps.size() <= units) {
            return new SweepSlice(
                    runs, steps, runs.isEmpty() ? 0 : runs.getLast().number(), more, false);
        }
        String over = steps.get(units).unit().run();
        boolean alone = runs.getFirst().run().equals(over)
                || steps.getFirst().unit().run().equals(over);
        int whole = 0;
        while (!runs.get(whole).run().equals(over)) {
            whole++;
        }
        List<RunMark> kept = runs.subList(0, alone ? whole + 1 : whole);
        List<StepMark> ofKept = alone
                ? steps.subList(0, units)
                : steps.stream().filter(step -> !step.unit().run().equals(over)).toList();
        return new SweepSlice(kept, ofKept, kept.getLast().number(), true, alone);
    }
}
