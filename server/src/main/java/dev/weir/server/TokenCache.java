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
    static final Duration KNOWN_FOR = Duration.ofSeconds(5);
    /** The time after which a token is refused if it could not be looked up again. */
    static final Duration KNOWN_MAX = Duration.ofMinutes(1);

    /** The time for which an unavailable database is not queried again for a token that is still cached. */
    static final Duration PAUSE = Duration.ofSeconds(1);

    private static final int TOKENS_MAX = 10_000;

    private final OrganisationStore tenants;
    private final LongSupplier nanos;
    private final Map<String, Known> known = new ConcurrentHashMap<>();

    /**
     * A token that was found.
     *
     * @param at the time of the lookup, on the monotonic clock
     * @param askAt the time from which it is looked up again
     * @param asking true while one thread looks it up; the others use the cached value
     */
    private record Known(String org, long at, long askAt, AtomicBoolean asking) {
        Known(String org, long at, long askAt) {
            this(org, at, askAt, new AtomicBoolean());
        }
    }

    /** @param nanos the monotonic clock */
    TokenCache(OrganisationStore tenants, LongSupplier nanos) {
        this.tenants = tenants;
        this.nanos = nanos;
    }

    @Override
    public Optional<String> organisation(String token) {
        Known before = known.get(token);
        long now = nanos.getAsLong();
        if (before == null || now - before.at > KNOWN_MAX.toNanos()) {
            return ask(token, null);
        }
        boolean mine = now - before.askAt >= 0 && before.asking.compareAndSet(false, true);
        return mine ? ask(token, before) : Optional.of(before.org);
    }

    private Optional<String> ask(String token, @Nullable Known before) {
        try {
            Optional<String> org = tenants.findByToken(token).map(OrganisationRecord::name);
            org.ifPresentOrElse(name -> remember(token, name), () -> known.remove(token));
            return org;
        } catch (Unavailable e) {
            if (before == null) {
                throw e;
            }
            known.put(token, new Known(before.org, before.at, nanos.getAsLong() + PAUSE.toNanos()));
            return Optional.of(before.org);
        } finally {
            if (before != null) {
                before.asking.set(false);
            }
        }
    }

    private void remember(String token, String org) {
        if (known.size() >= TOKENS_MAX) {
            known.clear();
        }
        long now = nanos.getAsLong();
        known.put(token, new Known(org, now, now + KNOWN_FOR.toNanos()));
    }
}
