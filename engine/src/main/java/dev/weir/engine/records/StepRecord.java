package dev.weir.engine.records;

import dev.weir.core.state.StepRow;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import dev.weir.core.state.WaitEntry;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A step or item as users see it.
 *
 * @param input rendered input, in which secrets are still names; absent before the step is ready
 * @param lastUpdate report that ended its last attempt
 * @param child run that it invoked
 * @param approval last decision about its gate
 * @param provided input that a person gave after the step asked for it
 * @param signal signal that it received
 * @param reporter source of its last report; absent if there is none, or if the node's own process made it
 * @param items progress of its items; absent if it has no fan-out
 * @param waited reasons for which it has waited so far, without its present wait
 */
public record StepRecord(
        UnitId unit,
        StepState state,
        long fence,
        int attempts,
        @Nullable JsonNode input,
        @Nullable Update lastUpdate,
        @Nullable Items items,
        Times times,
        @Nullable String child,
        List<WaitEntry> waited,
        StepRow.@Nullable Approval approval,
        @Nullable JsonNode provided,
        StepRow.@Nullable ReceivedSignal signal,
        StepRow.@Nullable Reporter reporter) {
    /** The progress of a fan-out. */
    public record Items(int total, int made, int running, int ended, int failed) {}

    /**
     * The times at which the unit began to wait, was granted, continues by itself, and ended.
     *
     * @param grantedAt grant of the live claim, or of the claim with which it ended; absent if there is none
     */
    public record Times(
            @Nullable Instant since,
            @Nullable Instant grantedAt,
            @Nullable Instant due,
            @Nullable Instant endedAt) {}
}
