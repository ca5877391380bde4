package dev.weir.core.state;

/**
 * The stored form of a valid API token. The token itself is not stored.
 *
 * @param name the name, unique among the organisation's valid tokens
 * @param hash the SHA-256 of the token, as 64 hexadecimal digits
 * @param expiresAt the time when it stops to work; {@link dev.weir.core.limit.Moment#NEVER} if it does not
 * @param source the request that created it
 */
public record TokenRow(String name, String hash, Rights rights, long createdAt, long expiresAt, Source source) {
    /**
     * The request that created a token.
     *
     * @param by the actor; empty if unknown
     * @param requestId the id of the request. The same request again cannot create or rotate the token a second time
     */
    public record Source(String by, String requestId) {
        public static final Source UNKNOWN = new Source("", "");

        public static Source of(Attribution by) {
            return new Source(by.actor(), by.requestId());
        }
    }

    /** The longest name of a new token, in characters. */
    public static final int NAME_CHARS_MAX = 100;
}
