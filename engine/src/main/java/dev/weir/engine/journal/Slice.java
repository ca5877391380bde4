package dev.weir.engine.journal;

import dev.weir.core.life.RunState;
import dev.weir.core.life.StepState;
import dev.weir.core.life.UnitId;
import java.util.List;

/**
 * What a sweep compares of some runs and their open steps and items.
 *
 * @param lastRun the number of the last run in it; the next slice begins after it
 * @param more whether there are runs after it
 * @param cut whether it is one run of which only the first open steps and items are here, because they are too many
 */
public record Slice(List<RunMark> runs, List<StepMark> steps, long lastRun, boolean more, boolean cut) {
    public Slice {
        runs = List.copyOf(runs);
        steps = List.copyOf(steps);
    }

    /** A run that lives. */
    public record RunMark(String run, long number, RunState state) {}

    /** A step or item that has not ended. */
    public record StepMark(UnitId unit, StepState state, long fence) {}

    /**
     * As many of these runs as have no more than so many open steps and items together: at least one, cut if need be.
     *
     * @param runs in the order of their numbers, at least one if there are steps
     * @param steps of these runs, in the same order, one more than may be if there are more
     */
    public static Slice bounded(List<RunMark> runs, List<StepMark> steps, boolean more, int units) {
        if (steps.size() <= units) {
            return new Slice(runs, steps, runs.isEmpty() ? 0 : runs.getLast().number(), more, false);
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
        return new Slice(kept, ofKept, kept.getLast().number(), true, alone);
    }
}
