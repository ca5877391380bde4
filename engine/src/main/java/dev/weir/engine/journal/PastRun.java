package dev.weir.engine.journal;

import dev.weir.core.life.RunRow;
import dev.weir.core.life.StepRow;
import java.util.List;

/**
 * A run that has ended, as its last rows have it.
 *
 * @param steps its steps, also those that undid others, without their items
 */
public record PastRun(RunRow row, List<StepRow> steps) {
    public PastRun {
        steps = List.copyOf(steps);
    }
}
