package dev.weir.api;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Requests and responses about sessions of the console. */
public final class Sessions {
    private Sessions() {}

    /**
     * A sign-in with exactly one of these.
     *
     * @param token an API token
     * @param link the code of a link that signs in once: what follows {@code #sign-in=}
     */
    public record SignInRequest(
            @Nullable String token, @Nullable String link) {}

    /**
     * The signed-in token and what it may do.
     *
     * @param role viewer, starter, operator or admin
     * @param permissions the permissions, as {@code x-permission} names them
     * @param administrator true if the token may also administer the node
     * @param expiresAt the time when the session ends; absent if the request has a token instead of a session
     */
    public record SessionView(
            String organisation,
            TokenName token,
            String role,
            List<String> permissions,
            boolean administrator,
            @Nullable Instant expiresAt) {}

    /** The token of a session. */
    public record TokenName(String name) {}

    /** The outcome of a change: ended. */
    public record SessionAction(String outcome) {}

    /**
     * A link that signs in once.
     *
     * @param url the address of the console, with the code after {@code #sign-in=}
     */
    public record SignInLink(String url, Instant expiresAt) {}
}
