package dev.weir.engine.organisations;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The stored part of an organisation's API token; the token itself is not stored.
 *
 * @param name label for people
 * @param revokedAt time of the revocation; absent while the token is valid
 */
public record ApiToken(
        String org,
        String name,
        Instant createdAt,
        @Nullable Instant revokedAt) {}
