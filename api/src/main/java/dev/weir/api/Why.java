package dev.weir.api;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Why something waits. */
public final class Why {
    private Why() {}

    /** Everything that keeps a step, item or run from starting; no reasons = nothing does. */
    public record WhyAnswer(
            String run, @Nullable String step, @Nullable Integer item, String state, List<Reason> reasons) {}

    /**
     * One thing that keeps it.
     *
     * @param reason dependency, gate, missing_input, invalid_artifact, limit, over_capacity, no_worker, backoff, paused,
     *     already_running, needs_input, timer, signal, child, delayed, operator
     * @param message the same in words
     * @param limit which limit
     * @param steps the steps that it needs, for a dependency
     * @param worker who runs it already
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
     * A limit that holds it.
     *
     * @param id one string for each limit: key:billing-api, run_slots
     * @param kind key, workflow_runs, run_key, org_runs, run, run_steps, run_slots, run_exclusive, run_tick, fan_out
     * @param key the flow-control key, where it is one
     * @param cause capacity, rate, paused, over_capacity or reserved
     * @param holders who holds it, oldest first, the first of them only
     * @param position how many wait before it, plus one: a hint, order is not guaranteed
     * @param positionOrMore whether so many wait that they were not all counted
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

    /** Who holds a limit or waits at it. */
    public record Holder(
            String run,
            @Nullable String step,
            @Nullable Integer item,
            @Nullable Instant since) {}
}
