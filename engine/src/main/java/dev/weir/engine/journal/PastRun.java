package dev.weir.engine.journal;

import dev.weir.core.state.RunRow;
import dev.weir.core.state.StepRow;
import java.util.List;

/**
 * An ended run, as its last rows describe it.
 *
 * @param steps its steps and compensations, without items
 */
public record PastRun(RunRow row, List<StepRow> steps) {
    public PastRun {
        steps = List.copyOf(steps);
    }
}
