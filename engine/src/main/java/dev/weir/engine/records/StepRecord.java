package dev.weir.engine.records;

import dev.weir.core.life.StepRow;
import dev.weir.core.life.StepState;
import dev.weir.core.life.UnitId;
import dev.weir.core.life.Update;
import dev.weir.core.life.Waited;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A step or item as people look at it.
 *
 * @param input absent before it is ready; secrets are still names
 * @param last how its last try ended
 * @param child the run that it has invoked
 * @param approval what was last decided about its gate
 * @param provided what a person has given to it that needed input
 * @param signal the id of the signal that it got, if that had one
 * @param items how many items it has; absent if it is not fanned out
 * @param waited what it has waited for so far, save its present wait
 */
public record StepRecord(
        UnitId unit,
        StepState state,
        long fence,
        int attempts,
        @Nullable JsonNode input,
        @Nullable Update last,
        @Nullable Items items,
        Times times,
        @Nullable String child,
        List<Waited> waited,
        StepRow.@Nullable Approval approval,
        @Nullable JsonNode provided,
        @Nullable String signal) {
    /** How far a fan-out is. */
    public record Items(int total, int made, int running, int ended, int failed) {}

    /** When it began to wait, goes on by itself, and has ended. */
    public record Times(
            @Nullable Instant since,
            @Nullable Instant due,
            @Nullable Instant endedAt) {}
}
