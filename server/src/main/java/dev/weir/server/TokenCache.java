package dev.weir.server;

import dev.weir.engine.organisations.Caller;
import dev.weir.engine.organisations.OrganisationStore;
import dev.weir.engine.organisations.SessionStore;
import dev.weir.engine.request.Unavailable;
import dev.weir.server.http.Authenticator;
import dev.weir.server.http.Credential;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Caches tokens and sessions for a few seconds, so that not every request queries the database. A revoked or expired
 * token therefore works for up to five seconds more. While the database is unavailable, a token that was valid within the last minute stays
 * valid, because heartbeats must not wait for the database.
 */
final class TokenCache implements Authenticator {
    static final Duration REFRESH_AFTER = Duration.ofSeconds(5);
    /** The time after which a token is refused if it could not be looked up again. */
    static final Duration EXPIRE_AFTER = Duration.ofMinutes(1);

    /** The time for which an unavailable database is not queried again for a token that is still cached. */
    static final Duration RETRY_INTERVAL = Duration.ofSeconds(1);

    /** The time between two writes of the uses of tokens. */
    static final Duration USES_INTERVAL = Duration.ofMinutes(1);

    private static final int TOKENS_MAX = 10_000;

    private final OrganisationStore organisations;
    private final SessionStore sessions;
    private final LongSupplier nanos;
    private final Map<Credential, CachedToken> cache = new ConcurrentHashMap<>();

    /**
     * A token or session that was found.
     *
     * @param foundAt the time of the lookup, on the monotonic clock
     * @param refreshAt the time from which it is looked up again
     * @param refreshing true while one thread looks it up; the others use the cached value
     * @param used true if it was used since the uses were last written
     */
    private record CachedToken(
            Caller caller, long foundAt, long refreshAt, AtomicBoolean refreshing, AtomicBoolean used) {
        CachedToken(Caller caller, long foundAt, long refreshAt, AtomicBoolean used) {
            this(caller, foundAt, refreshAt, new AtomicBoolean(), used);
        }

        Caller use() {
            if (!used.get()) {
                used.set(true);
            }
            return caller;
        }
    }

    /** @param nanos the monotonic clock */
    TokenCache(OrganisationStore organisations, SessionStore sessions, LongSupplier nanos) {
        this.organisations = organisations;
        this.sessions = sessions;
        this.nanos = nanos;
    }

    @Override
    public Optional<Caller> caller(Credential credential) {
        CachedToken cached = cache.get(credential);
        long now = nanos.getAsLong();
        if (cached == null || now - cached.foundAt > EXPIRE_AFTER.toNanos()) {
            return lookUp(credential, null);
        }
        boolean isRefresher = now - cached.refreshAt >= 0 && cached.refreshing.compareAndSet(false, true);
        return isRefresher ? lookUp(credential, cached) : Optional.of(cached.use());
    }

    private Optional<Caller> lookUp(Credential credential, @Nullable CachedToken cached) {
        try {
            Optional<Caller> found = find(credential);
            found.ifPresentOrElse(
                    caller -> put(credential, caller, cached == null ? new AtomicBoolean() : cached.used),
                    () -> cache.remove(credential));
            return found;
        } catch (Unavailable e) {
            if (cached == null) {
                throw e;
            }
            long retryAt = nanos.getAsLong() + RETRY_INTERVAL.toNanos();
            cache.put(credential, new CachedToken(cached.caller, cached.foundAt, retryAt, cached.used));
            return Optional.of(cached.use());
        } finally {
            if (cached != null) {
                cached.refreshing.set(false);
            }
        }
    }

    private Optional<Caller> find(Credential credential) {
        return switch (credential.kind()) {
            case TOKEN -> organisations.findByToken(credential.secret());
            case SESSION -> sessions.find(credential.secret()).map(SessionStore.Session::caller);
        };
    }

    private void put(Credential credential, Caller caller, AtomicBoolean used) {
        if (cache.size() >= TOKENS_MAX) {
            cache.clear();
        }
        long now = nanos.getAsLong();
        used.set(true);
        cache.put(credential, new CachedToken(caller, now, now + REFRESH_AFTER.toNanos(), used));
    }

    /** Forgets a session that has ended. */
    void forgetSession(String secret) {
        cache.remove(Credential.session(secret));
    }

    /** Forgets the tokens of an organisation, because it has another name now. */
    void forget(String org) {
        cache.values().removeIf(cached -> cached.caller.org().equals(org));
    }

    /**
     * Writes which tokens were used since the last call. It runs once a minute on a thread of its own, so that requests
     * do not wait for it and a busy token costs one write per minute. If the store is unavailable, the next call
     * repeats it.
     */
    void writeUses() {
        Map<Credential, CachedToken> used = new HashMap<>();
        cache.forEach((credential, cached) -> {
            if (cached.used.compareAndSet(true, false)) {
                used.put(credential, cached);
            }
        });
        if (used.isEmpty()) {
            return;
        }
        try {
            organisations.recordUses(
                    used.keySet().stream().map(Credential::secret).toList());
        } catch (Unavailable e) {
            used.values().forEach(cached -> cached.used.set(true));
        }
    }
}
