package dev.weir.engine.records;

import dev.weir.core.life.Origin;
import dev.weir.core.life.RunRow;
import dev.weir.core.life.RunState;
import dev.weir.core.life.Waited;
import dev.weir.core.limit.Moment;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * A run as people look at it.
 *
 * @param input a missing node in lists: up to 200 of them would be read that nobody is shown
 * @param waited what it waited for before it started
 */
public record RunRecord(
        String run,
        long number,
        String workflow,
        int version,
        RunState state,
        int priority,
        JsonNode input,
        SortedMap<String, String> labels,
        Times times,
        @Nullable String reason,
        Origin origin,
        List<Waited> waited,
        @Nullable Deadline deadline) {
    /**
     * When a run must have ended.
     *
     * @param near whether four fifths of its time are over
     */
    public record Deadline(Instant at, boolean near) {
        /** The deadline of a run that has one and has started. */
        public static @Nullable Deadline of(RunRow.Detail detail) {
            return detail.deadlineAt() == Moment.NEVER
                    ? null
                    : new Deadline(Moment.toInstant(detail.deadlineAt()), detail.warned());
        }
    }

    /** The same as it stands in a list. */
    public RunRecord listed() {
        return new RunRecord(
                run,
                number,
                workflow,
                version,
                state,
                priority,
                JsonNodeFactory.instance.missingNode(),
                labels,
                times,
                reason,
                origin,
                waited,
                deadline);
    }

    /** When a run was accepted, and started and ended if it has. */
    public record Times(
            Instant acceptedAt,
            @Nullable Instant startedAt,
            @Nullable Instant endedAt) {}
}
