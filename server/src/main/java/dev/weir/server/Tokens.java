package dev.weir.server;

import dev.weir.engine.Unavailable;
import dev.weir.engine.tenants.Tenant;
import dev.weir.engine.tenants.Tenants;
import dev.weir.server.http.Access;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Knows tokens again for a few seconds, so that not every request asks the database; a revoked one ends that late. While
 * the database cannot tell, a token that was good a minute ago is: heartbeats must not wait for it.
 */
final class Tokens implements Access {
    static final Duration KNOWN_FOR = Duration.ofSeconds(5);
    /** After how long a token is refused that nobody could look up again. */
    static final Duration KNOWN_MAX = Duration.ofMinutes(1);

    /** How long a database that could not tell is not asked again for a token that is still known. */
    static final Duration PAUSE = Duration.ofSeconds(1);

    private static final int TOKENS_MAX = 10_000;

    private final Tenants tenants;
    private final LongSupplier nanos;
    private final Map<String, Known> known = new ConcurrentHashMap<>();

    /**
     * A token that was found.
     *
     * @param at when, by the monotonic clock
     * @param askAt when it is looked up again
     * @param asking whether somebody does so now; the others go on with what is known
     */
    private record Known(String org, long at, long askAt, AtomicBoolean asking) {
        Known(String org, long at, long askAt) {
            this(org, at, askAt, new AtomicBoolean());
        }
    }

    /** @param nanos the monotonic clock */
    Tokens(Tenants tenants, LongSupplier nanos) {
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
            Optional<String> org = tenants.findByToken(token).map(Tenant::name);
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
