package dev.weir.engine.tenants;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A token of an organisation, as far as it is kept: the token itself is not.
 *
 * @param name what people call it
 * @param revokedAt absent while it is good
 */
public record Token(
        String org,
        String name,
        Instant createdAt,
        @Nullable Instant revokedAt) {}
