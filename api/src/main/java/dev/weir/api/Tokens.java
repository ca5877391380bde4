package dev.weir.api;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Requests and responses about API tokens. */
public final class Tokens {
    /** The longest name of a token, in characters. */
    public static final int NAME_CHARS_MAX = 100;

    private Tokens() {}

    /**
     * A token to create.
     *
     * @param role viewer, starter, worker, operator or admin
     * @param scopes additions to the role: rate_limits.manage, workflows.register, audit.read
     * @param administrator true if the token may also administer the node; absent = false
     * @param expiresIn the time after which the token stops working, such as 90d; absent = never
     * @param reason the reason, for the audit
     */
    public record TokenRequest(
            String name,
            String role,
            @Nullable List<String> scopes,
            @Nullable Boolean administrator,
            @Nullable String expiresIn,
            @Nullable String reason) {
        public TokenRequest {
            name = InvalidValue.text("name", name, NAME_CHARS_MAX);
            role = InvalidValue.text("role", role, NAME_CHARS_MAX);
        }

        public static TokenRequest of(String name, String role) {
            return new TokenRequest(name, role, null, null, null, null);
        }
    }

    /**
     * A replacement of a token.
     *
     * @param overlap the time for which the replaced token still works, such as 1h; absent = it stops at once
     * @param reason the reason, for the audit
     */
    public record RotateRequest(
            @Nullable String overlap, @Nullable String reason) {}

    /**
     * The revocation of a token.
     *
     * @param reason the reason, for the audit
     */
    public record RevokeRequest(@Nullable String reason) {}

    /**
     * A new token.
     *
     * @param token the token itself; Weir shows it only this once
     */
    public record NewToken(
            String name,
            String token,
            String role,
            List<String> scopes,
            boolean administrator,
            @Nullable Instant expiresAt) {}

    /**
     * A token in a list.
     *
     * @param fingerprint the beginning of the token's hash, by which the audit tells tokens of one name apart
     * @param createdBy the actor that created it; absent if unknown
     * @param lastUsedAt the time of its last use, to about a minute; absent if it was never used
     */
    public record TokenView(
            String name,
            String role,
            List<String> scopes,
            boolean administrator,
            String fingerprint,
            Instant createdAt,
            @Nullable String createdBy,
            @Nullable Instant expiresAt,
            boolean expired,
            @Nullable Instant lastUsedAt) {}

    public record TokenPage(
            List<TokenView> tokens, @Nullable String next) {}

    /** The outcome of a change: revoked. */
    public record TokenAction(String name, String outcome) {}
}
