package dev.weir.core.run;

import dev.weir.core.state.ScheduleRow;
import dev.weir.core.state.WorkflowTriggers;
import java.util.List;

/**
 * A schedule and its next times.
 *
 * @param next the next times, soonest first, in microseconds
 */
public record ScheduleStatus(ScheduleRow row, WorkflowTriggers.Schedule schedule, List<Long> next) {
    /** The number of next times that are shown. */
    static final int NEXT_MAX = 3;

    public ScheduleStatus {
        next = List.copyOf(next);
    }
}
