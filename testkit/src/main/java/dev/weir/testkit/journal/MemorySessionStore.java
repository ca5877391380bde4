package dev.weir.testkit.journal;

import dev.weir.engine.organisations.Caller;
import dev.weir.engine.organisations.SessionStore;
import dev.weir.engine.organisations.TokenSecret;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Sessions of the console in memory. A session ends with its token, as {@code findByToken} tells. */
public final class MemorySessionStore implements SessionStore {
    private final Function<String, Optional<Caller>> findByToken;
    private final Map<String, Grant> sessions = new LinkedHashMap<>();
    private final Map<String, Grant> links = new LinkedHashMap<>();

    /** The right to a session of a token. */
    private record Grant(String token, Instant expiresAt) {}

    public MemorySessionStore(Function<String, Optional<Caller>> findByToken) {
        this.findByToken = findByToken;
    }

    @Override
    public synchronized Optional<NewSession> begin(String token) {
        return findByToken.apply(token).map(caller -> {
            String secret = TokenSecret.create("weir_session_").value();
            var grant = new Grant(token, Instant.now().plus(SESSION_AGE_MAX));
            put(sessions, secret, grant, SESSIONS_PER_TOKEN_MAX);
            return new NewSession(secret, new Session(caller, grant.expiresAt));
        });
    }

    private static void put(Map<String, Grant> grants, String secret, Grant grant, int most) {
        grants.put(secret, grant);
        var ofToken = grants.entrySet().stream()
                .filter(other -> other.getValue().token.equals(grant.token))
                .map(Map.Entry::getKey)
                .toList();
        if (ofToken.size() > most) {
            grants.remove(ofToken.getFirst());
        }
    }

    @Override
    public synchronized Optional<NewSession> beginByLink(String code) {
        return Optional.ofNullable(links.remove(code))
                .filter(MemorySessionStore::isValid)
                .flatMap(link -> begin(link.token));
    }

    private static boolean isValid(Grant grant) {
        return Instant.now().isBefore(grant.expiresAt);
    }

    @Override
    public synchronized Optional<Session> find(String secret) {
        return Optional.ofNullable(sessions.get(secret))
                .filter(MemorySessionStore::isValid)
                .flatMap(grant -> findByToken.apply(grant.token).map(caller -> new Session(caller, grant.expiresAt)));
    }

    @Override
    public synchronized void end(String secret) {
        sessions.remove(secret);
    }

    @Override
    public synchronized Optional<NewLink> createLink(String token) {
        return findByToken.apply(token).map(caller -> {
            String code = TokenSecret.create("weir_link_").value();
            var grant = new Grant(token, Instant.now().plus(LINK_AGE_MAX));
            put(links, code, grant, LINKS_PER_TOKEN_MAX);
            return new NewLink(code, grant.expiresAt);
        });
    }
}
