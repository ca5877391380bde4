package dev.weir.engine.organisations;

import java.time.Instant;

/**
 * An organisation as it is stored.
 *
 * @param name its unique name
 * @param shard number of its shard
 */
public record OrganisationRecord(String name, int shard, Instant createdAt) {}
