package dev.weir.core.state;

import dev.weir.core.limit.LimitId;

/**
 * A limit on runs under which as many runs wait as its ceiling allows, so that no further run may join them.
 *
 * @param waiting the number of waiting runs
 * @param max the ceiling
 * @param retryAfter the time after which a new attempt makes sense, in microseconds
 */
public record FullQueue(LimitId.Shared limit, int waiting, int max, long retryAfter) {
    /** Describes the refusal for the caller. */
    public String message() {
        return "queue_full: expected fewer than " + max + " waiting runs (max_queued_runs of " + owner() + "), found "
                + waiting + "; send the start again later";
    }

    private String owner() {
        return switch (limit) {
            case LimitId.OrgRuns ignored -> "the organisation";
            case LimitId.WorkflowRuns runs -> "workflow " + runs.workflow();
            case LimitId.RunKey key -> "run key " + key.key() + " of workflow " + key.workflow();
            case LimitId.Key key -> "key " + key.name();
        };
    }
}
