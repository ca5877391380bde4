package dev.weir.api;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The answer to the question why a step, item or run waits. */
public final class Why {
    private Why() {}

    /** Everything that keeps a step, item or run from starting. No reasons mean that nothing does. */
    public record WhyAnswer(
            String run, @Nullable String step, @Nullable Integer item, String state, List<Reason> reasons) {}

    /**
     * One reason that keeps a step, item or run from starting.
     *
     * @param reason dependency, gate, missing_input, invalid_artifact, limit, over_capacity, no_worker, backoff,
     *     paused, already_running, needs_input, timer, signal, child, delayed, operator, making_items, rendering
     * @param message the reason in words
     * @param limit the limit, if the reason is one
     * @param steps the steps that it depends on, if the reason is a dependency
     * @param worker the worker that already runs it
     */
    public record Reason(
            String reason,
            String message,
            @Nullable Limit limit,
            @Nullable List<String> steps,
            @Nullable String worker,
            @Nullable Instant since,
            @Nullable Instant expectedAt,
            @Nullable Boolean estimate) {}

    /**
     * A limit that holds a step, item or run.
     *
     * @param id one string for each limit: key:billing-api, run_slots
     * @param kind key, workflow_runs, run_key, org_runs, run, run_steps, run_slots, run_exclusive, run_tick,
     *     fan_out
     * @param key the flow-control key, if the limit is one
     * @param cause capacity, rate, paused, over_capacity or reserved
     * @param holders the steps, items or runs that use the limit, oldest first; only the first of them are listed
     * @param position the number of waiters before it, plus one; a hint, because the order is not guaranteed
     * @param positionOrMore true if there are too many waiters to count them all
     */
    public record Limit(
            String id,
            String kind,
            @Nullable String key,
            String cause,
            @Nullable Long used,
            @Nullable Long capacity,
            @Nullable List<Holder> holders,
            @Nullable Long position,
            @Nullable Boolean positionOrMore) {}

    /**
     * A step, item or run that uses a limit.
     *
     * @param worker the worker that has claimed it; absent for runs
     * @param leaseUntil the time at which the claim ends if the worker is not heard again; absent if it does not end by
     *     itself
     */
    public record Holder(
            String run,
            @Nullable String step,
            @Nullable Integer item,
            @Nullable Instant since,
            @Nullable String worker,
            @Nullable Instant leaseUntil) {}
}
