package dev.weir.engine.records;

import dev.weir.core.life.Origin;
import dev.weir.core.life.RunState;
import dev.weir.core.life.Waited;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A run as people look at it.
 *
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
        List<Waited> waited) {
    /** When a run was accepted, and started and ended if it has. */
    public record Times(
            Instant acceptedAt,
            @Nullable Instant startedAt,
            @Nullable Instant endedAt) {}
}
