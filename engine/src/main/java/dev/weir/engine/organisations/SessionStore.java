package dev.weir.engine.organisations;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The port to the sessions of people who have signed in to the console. A session may do what its API token may, and
 * ends with it. Safe for use by many threads.
 */
public interface SessionStore {
    /** The time after which a session ends, however much it is used. */
    Duration SESSION_AGE_MAX = Duration.ofDays(30);

    /** The most sessions of a token; a further one ends the oldest. */
    int SESSIONS_PER_TOKEN_MAX = 100;

    /** The time for which a link can be used. */
    Duration LINK_AGE_MAX = Duration.ofMinutes(15);

    /** The most unused links of a token; a further one replaces the oldest. */
    int LINKS_PER_TOKEN_MAX = 20;

    /**
     * A session.
     *
     * @param expiresAt the time when it ends, or its token does if that is sooner
     */
    record Session(Caller caller, Instant expiresAt) {}

    /**
     * A new session.
     *
     * @param secret the secret by which the browser proves that the session is its own; the store has its hash only
     */
    record NewSession(String secret, Session session) {
        @Override
        public String toString() {
            return session.toString();
        }
    }

    /** Begins a session with an API token; absent if the token is unknown, revoked or expired. */
    Optional<NewSession> begin(String token);

    /** Begins a session with the code of a link; absent if the code is unknown, used or expired, or its token ended. */
    Optional<NewSession> beginByLink(String code);

    /** Finds a session by its secret; absent if it is unknown or has ended. */
    Optional<Session> find(String secret);

    /** Ends a session. */
    void end(String secret);

    /** Creates a link that signs in once with this API token, and returns its code; absent if the token is not valid. */
    Optional<NewLink> createLink(String token);

    /**
     * A new link.
     *
     * @param code the secret part of the link; the store has its hash only
     */
    record NewLink(String code, Instant expiresAt) {
        @Override
        public String toString() {
            return "link until " + expiresAt;
        }
    }
}
