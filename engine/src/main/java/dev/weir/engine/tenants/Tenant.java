package dev.weir.engine.tenants;

import java.time.Instant;

/**
 * An organisation as it is kept.
 *
 * @param name what it is called everywhere
 * @param shard where it lives
 */
public record Tenant(String name, int shard, Instant createdAt) {}
