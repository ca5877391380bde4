package dev.weir.server;

import dev.weir.engine.organisations.OrganisationRecord;
import dev.weir.engine.organisations.OrganisationStore;
import dev.weir.engine.request.Unavailable;
import dev.weir.server.http.Authenticator;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Caches tokens for a few seconds, so that not every request queries the database. A revoked token therefore works
 * for a few seconds more. While the database is unavailable, a token that was valid within the last minute stays
 * valid, because heartbeats must not wait for the database.
 */
final class TokenCache implements Authenticator {
    static final Duration REFRESH_AFTER = Duration.ofSeconds(5);
    /** The time after which a token is refused if it could not be looked up again. */
    static final Duration EXPIRE_AFTER = Duration.ofMinutes(1);

    /** The time for which an unavailable database is not queried again for a token that is still cached. */
    static final Duration RETRY_INTERVAL = Duration.ofSeconds(1);

    private static final int TOKENS_MAX = 10_000;

    private final OrganisationStore organisations;
    private final LongSupplier nanos;
    private final Map<String, CachedToken> cache = new ConcurrentHashMap<>();

    /**
     * A token that was found.
     *
     * @param foundAt the time of the lookup, on the monotonic clock
     * @param refreshAt the time from which it is looked up again
     * @param refreshing true while one thread looks it up; the others use the cached value
     */
    private record CachedToken(String org, long foundAt, long refreshAt, AtomicBoolean refreshing) {
        CachedToken(String org, long foundAt, long refreshAt) {
            this(org, foundAt, refreshAt, new AtomicBoolean());
        }
    }

    /** @param nanos the monotonic clock */
    TokenCache(OrganisationStore organisations, LongSupplier nanos) {
        this.organisations = organisations;
        this.nanos = nanos;
    }

    @Override
    public Optional<String> organisation(String token) {
        CachedToken cached = cache.get(token);
        long now = nanos.getAsLong();
        if (cached == null || now - cached.foundAt > EXPIRE_AFTER.toNanos()) {
            return lookUp(token, null);
        }
        boolean isRefresher = now - cached.refreshAt >= 0 && cached.refreshing.compareAndSet(false, true);
        return isRefresher ? lookUp(token, cached) : Optional.of(cached.org);
    }

    private Optional<String> lookUp(String token, @Nullable CachedToken cached) {
        try {
            Optional<String> org = organisations.findByToken(token).map(OrganisationRecord::name);
            org.ifPresentOrElse(name -> put(token, name), () -> cache.remove(token));
            return org;
        } catch (Unavailable e) {
            if (cached == null) {
                throw e;
            }
            cache.put(token, new CachedToken(cached.org, cached.foundAt, nanos.getAsLong() + RETRY_INTERVAL.toNanos()));
            return Optional.of(cached.org);
        } finally {
            if (cached != null) {
                cached.refreshing.set(false);
            }
        }
    }

    private void put(String token, String org) {
        if (cache.size() >= TOKENS_MAX) {
            cache.clear();
        }
        long now = nanos.getAsLong();
        cache.put(token, new CachedToken(org, now, now + REFRESH_AFTER.toNanos()));
    }
}
