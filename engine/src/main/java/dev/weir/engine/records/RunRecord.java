package dev.weir.engine.records;

import dev.weir.core.limit.Moment;
import dev.weir.core.state.RunLineage;
import dev.weir.core.state.RunRow;
import dev.weir.core.state.RunState;
import dev.weir.core.state.WaitEntry;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * A run as users see it.
 *
 * @param input input of the run; a missing node in lists, so that up to 200 inputs are not read for nothing
 * @param waited reasons for which it waited before it started
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
        RunLineage lineage,
        List<WaitEntry> waited,
        @Nullable Deadline deadline) {
    /**
     * The time by which a run must have ended.
     *
     * @param near true if four fifths of its time are over
     */
    public record Deadline(Instant at, boolean near) {
        /** The deadline of a run that has one and has started. */
        public static @Nullable Deadline of(RunRow.Detail detail) {
            return detail.deadlineAt() == Moment.NEVER
                    ? null
                    : new Deadline(Moment.toInstant(detail.deadlineAt()), detail.warned());
        }
    }

    /** Returns the record as it appears in a list, without its input. */
    public RunRecord withoutInput() {
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
                lineage,
                waited,
                deadline);
    }

    /** The times at which a run was accepted, started and ended, as far as it has. */
    public record Times(
            Instant acceptedAt,
            @Nullable Instant startedAt,
            @Nullable Instant endedAt) {}
}
