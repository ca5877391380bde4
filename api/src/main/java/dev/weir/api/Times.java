package dev.weir.api;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The breakdown of a run's time. Times are in microseconds, so that they sum exactly. */
public final class Times {
    private Times() {}

    /**
     * The time of a run that has ended.
     *
     * @param micros the time from its acceptance to its end
     * @param work the part of that time in which work was done, on the critical path
     * @param waited the causes of the remaining time, longest first
     * @param path the critical path: its legs follow each other and sum to the whole
     * @param steps every step, including those that nothing waited for
     */
    public record RunTime(
            String run,
            String state,
            Instant from,
            Instant to,
            long micros,
            long work,
            List<Wait> waited,
            List<Leg> path,
            List<Leg> steps) {}

    /**
     * The time of a step, or of the run itself before its first step and after its last.
     *
     * @param item the item that ended last, for a step with items
     */
    public record Leg(
            @Nullable String step,
            @Nullable Integer item,
            Instant from,
            Instant to,
            long micros,
            long work,
            List<Wait> waited) {}

    /**
     * Time in which no work was done.
     *
     * @param what capacity, rate, paused, over_capacity, reserved, no_worker, lost_worker, backoff, gate, timer,
     *     signal, child, needs_input, missing_input, invalid_artifact, operator, delayed, dependency, compensation
     * @param limit the limit, if the cause was one: key:billing-api, run_slots
     * @param message the cause in words
     */
    public record Wait(String what, @Nullable String limit, long micros, String message) {}
}
