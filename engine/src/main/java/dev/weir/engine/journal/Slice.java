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
 */
public record Slice(List<RunMark> runs, List<StepMark> steps, long lastRun, boolean more) {
    public Slice {
        runs = List.copyOf(runs);
        steps = List.copyOf(steps);
    }

    /** A run that lives. */
    public record RunMark(String run, long number, RunState state) {}

    /** A step or item that has not ended. */
    public record StepMark(UnitId unit, StepState state, long fence) {}
}
