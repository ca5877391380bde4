package dev.weir.core.run;

import dev.weir.core.state.ScheduleRow;
import dev.weir.core.state.WorkflowTriggers;
import java.util.List;

/**
 * A schedule and its next times.
 *
 * @param state the state of what could stop it
 * @param next the next times, soonest first, in microseconds
 */
public record ScheduleStatus(ScheduleRow row, WorkflowTriggers.Schedule schedule, State state, List<Long> next) {
    /** The effect of a schedule's next times. */
    public enum State {
        /** They start runs. */
        ACTIVE,
        /** The workflow is paused: they start runs, which stay queued. */
        PAUSED,
        /** The workflow is archived: they start no runs. */
        ARCHIVED,
        /** The organisation is suspended: they wait until it is resumed. */
        SUSPENDED
    }

    /** The number of next times that are shown. */
    static final int NEXT_MAX = 3;

    public ScheduleStatus {
        next = List.copyOf(next);
    }
}
