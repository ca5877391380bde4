package dev.weir.core.state;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A signal that was sent to a run before any of its steps waited for it.
 *
 * @param id the caller's id for deduplication, if any
 * @param number the position in the order in which the run's signals came
 * @param sentBy the actor that sent it; absent if it is not known
 */
public record Signal(
        String run,
        @Nullable String id,
        long number,
        String name,
        JsonNode payload,
        long at,
        @Nullable String sentBy) {}
