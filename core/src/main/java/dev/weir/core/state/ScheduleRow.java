package dev.weir.core.state;

import dev.weir.core.json.StorableJson;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a schedule.
 *
 * @param handledTo the time up to which its runs were started or skipped
 * @param lastRun the last run that it started; absent = none yet
 * @param problem the reason why the last start failed; absent if it did not
 */
public record ScheduleRow(
        TriggerId trigger,
        long handledTo,
        @Nullable String lastRun,
        @Nullable String problem) {
    public ScheduleRow {
        problem = problem == null ? null : StorableJson.sanitize(problem, EventOutcome.REASON_CHARS_MAX);
    }
}
