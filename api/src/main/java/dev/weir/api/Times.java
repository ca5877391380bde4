package dev.weir.api;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the time of a run went. Times are in microseconds, so that they sum exactly. */
public final class Times {
    private Times() {}

    /**
     * A run that has ended.
     *
     * @param micros how long it took, from its acceptance to its end
     * @param work how much of that somebody worked, on the path
     * @param waited what the rest is put down to, longest first
     * @param path what the run took so long for: its legs follow each other, and sum to the whole
     * @param steps every step, also those that nothing waited for
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
     * Time of a step, or of the run itself before its first step and after its last.
     *
     * @param item the item that ended last, of a step that has items
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
     * Time in which nobody worked.
     *
     * @param what capacity, rate, paused, over_capacity, reserved, no_worker, lost_worker, backoff, gate, timer, signal,
     *     child, needs_input, missing_input, invalid_artifact, operator, delayed, dependency, compensation
     * @param limit which limit, where it was one: key:billing-api, run_slots
     * @param message the same in words
     */
    public record Wait(String what, @Nullable String limit, long micros, String message) {}
}
