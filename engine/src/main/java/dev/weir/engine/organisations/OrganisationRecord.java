package dev.weir.engine.organisations;

import dev.weir.core.state.Suspension;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An organisation as it is stored.
 *
 * @param name its unique name
 * @param shard number of its shard
 * @param suspension absent if it is not suspended
 */
public record OrganisationRecord(
        String name, int shard, Instant createdAt, @Nullable Suspension suspension) {}
