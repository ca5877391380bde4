package dev.weir.server;

import dev.weir.engine.tenants.Tenant;
import dev.weir.engine.tenants.Tenants;
import dev.weir.server.http.Access;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Knows tokens again for a few seconds, so that not every request asks the database; a revoked one ends that late. */
final class Tokens implements Access {
    private static final Duration KNOWN_FOR = Duration.ofSeconds(5);
    private static final int KNOWN_MAX = 10_000;

    private final Tenants tenants;
    private final Map<String, Known> known = new ConcurrentHashMap<>();

    private record Known(String org, long until) {}

    Tokens(Tenants tenants) {
        this.tenants = tenants;
    }

    @Override
    public Optional<String> organisation(String token) {
        Known before = known.get(token);
        if (before != null && System.nanoTime() - before.until < 0) {
            return Optional.of(before.org);
        }
        Optional<String> org = tenants.findByToken(token).map(Tenant::name);
        if (known.size() >= KNOWN_MAX) {
            known.clear();
        }
        known.remove(token);
        org.ifPresent(name -> known.put(token, new Known(name, System.nanoTime() + KNOWN_FOR.toNanos())));
        return org;
    }
}
