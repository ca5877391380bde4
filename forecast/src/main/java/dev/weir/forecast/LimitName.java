package dev.weir.forecast;

import dev.weir.core.admission.Hold;
import dev.weir.core.admission.HoldCause;
import dev.weir.core.limit.LimitId;
import org.jspecify.annotations.Nullable;

/**
 * The name of a limit or worker that a step can wait for, in the words of the definition.
 *
 * @param limit the limit; absent = a worker
 * @param step the step to whose fan-out the limit belongs; empty for all other limits
 */
public record LimitName(@Nullable LimitId limit, HoldCause cause, String step) {
    static LimitName capacity(LimitId limit, String step) {
        return new LimitName(limit, HoldCause.CAPACITY, step);
    }

    static LimitName rate(LimitId limit) {
        return new LimitName(limit, HoldCause.RATE, "");
    }

    static LimitName of(WaitTimes.Account account) {
        Hold hold = account.hold();
        String step = hold.limit() == LimitId.Local.FAN_OUT ? account.step() : "";
        return new LimitName(hold.limit(), hold.cause(), step);
    }

    /** Returns the name, such as {@code key billing-api's rate}. */
    @Override
    public String toString() {
        String name = name(cause == HoldCause.RATE);
        return switch (cause) {
            case CAPACITY, RATE -> name;
            case NO_WORKER -> "a free worker";
            case PAUSED -> name + " (paused)";
            case OVER_CAPACITY -> name + " (the step needs more than it allows)";
            case RESERVED -> name + " (reserved for a step that was overtaken)";
        };
    }

    private String name(boolean rate) {
        return switch (limit) {
            case null -> "a free worker";
            case LimitId.Key key -> "key " + key.name() + "'s " + (rate ? "rate" : "parallelism");
            case LimitId.WorkflowRuns ignored -> rate ? "runs_per_minute" : "max_concurrent_runs";
            case LimitId.RunKey key ->
                "run_key " + key.key() + "'s " + (rate ? "runs_per_minute" : "max_concurrent_runs");
            case LimitId.OrgRuns ignored -> "the organisation's " + (rate ? "runs per minute" : "concurrent runs");
            case LimitId.Local local ->
                switch (local) {
                    case RUN -> "the run";
                    case RUN_STEPS -> "max_concurrent_steps";
                    case RUN_SLOTS -> "max_parallel";
                    case RUN_EXCLUSIVE -> "an exclusive step";
                    case RUN_TICK -> "max_steps_per_tick";
                    case FAN_OUT -> "concurrency of " + step;
                };
        };
    }
}
