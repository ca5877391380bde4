package dev.weir.core.admission;

import dev.weir.core.limit.LimitId;
import org.jspecify.annotations.Nullable;

/** The kinds of limits that hold tickets, as operators tell them apart: each kind needs a different remedy. */
public enum HoldKind {
    /** {@code max_concurrent_steps}, {@code max_parallel} or an exclusive step of the run. */
    RUN,
    /** {@code max_steps_per_tick} of the run. */
    TICK,
    /** {@code concurrency} of a {@code with_items} step. */
    FAN_OUT,
    /** {@code parallelism} of a flow-control key. */
    KEY_CAPACITY,
    /** {@code rate} of a flow-control key. */
    KEY_RATE,
    /** The concurrent runs, or runs per minute, of a workflow, a run key or the organisation. */
    RUNS,
    /** A key or run that is paused, or a key that a {@code Retry-After} header holds. */
    PAUSED,
    /** A limit that is smaller than the ticket. Only a change of the limit lets it start. */
    OVER_CAPACITY,
    /** Room that is reserved for a ticket that was overtaken too often. */
    RESERVED;

    static HoldKind of(Hold hold) {
        return of(hold.limit(), hold.cause());
    }

    static HoldKind of(@Nullable LimitId limit, HoldCause cause) {
        return switch (cause) {
            case PAUSED -> PAUSED;
            case OVER_CAPACITY -> OVER_CAPACITY;
            case RESERVED -> RESERVED;
            case CAPACITY, RATE, NO_WORKER -> ofLimit(limit, cause == HoldCause.RATE);
        };
    }

    private static HoldKind ofLimit(@Nullable LimitId limit, boolean rate) {
        return switch (limit) {
            case LimitId.Key ignored -> rate ? KEY_RATE : KEY_CAPACITY;
            case LimitId.WorkflowRuns ignored -> RUNS;
            case LimitId.RunKey ignored -> RUNS;
            case LimitId.OrgRuns ignored -> RUNS;
            case LimitId.Local.RUN_TICK -> TICK;
            case LimitId.Local.FAN_OUT -> FAN_OUT;
            case LimitId.Local.RUN, LimitId.Local.RUN_STEPS, LimitId.Local.RUN_SLOTS, LimitId.Local.RUN_EXCLUSIVE ->
                RUN;
            case null -> RUN;
        };
    }
}
