package dev.weir.server;

import dev.weir.engine.organisations.SecretStore;
import dev.weir.engine.organisations.SecretStore.SealedSecret;
import dev.weir.engine.request.Unavailable;
import dev.weir.engine.secret.SecretCipher;
import dev.weir.engine.secret.SecretSource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The secrets of organisations in the store. Values are opened when a step needs them and cached for a few seconds.
 * Replaced values are remembered until the node stops, because workers may still report them.
 */
final class StoredSecrets implements SecretSource {
    static final Duration REFRESH_AFTER = Duration.ofSeconds(5);

    /** The number of replaced values that are remembered for each name. */
    static final int FORMER_VALUES_MAX = 8;

    /** The number of names that are cached. Above it, the cache begins again. */
    static final int NAMES_MAX = 10_000;

    private final SecretStore store;
    private final SecretCipher cipher;
    private final LongSupplier nanos;
    private final Map<Name, CachedSecret> cache = new HashMap<>();

    /** The name of a secret and its organisation. */
    private record Name(String org, String name) {}

    /** A secret as it was read last, and the values before it, oldest first. */
    private static final class CachedSecret {
        private @Nullable String value;
        private @Nullable String problem;
        private long readAt;
        private final Deque<String> former = new ArrayDeque<>();

        void replace(@Nullable String newValue) {
            String replaced = value;
            if (replaced != null && !replaced.equals(newValue)) {
                former.remove(replaced);
                former.addLast(replaced);
                if (former.size() > FORMER_VALUES_MAX) {
                    former.removeFirst();
                }
            }
            value = newValue;
        }
    }

    /** @param nanos the monotonic clock */
    StoredSecrets(SecretStore store, SecretCipher cipher, LongSupplier nanos) {
        this.store = store;
        this.cipher = cipher;
        this.nanos = nanos;
    }

    @Override
    public Optional<String> find(String org, String name) {
        return Optional.ofNullable(read(org, name).value);
    }

    @Override
    public Optional<String> problem(String org, String name) {
        return Optional.ofNullable(read(org, name).problem);
    }

    @Override
    public synchronized List<String> formerValues(String org, String name) {
        CachedSecret cached = cache.get(new Name(org, name));
        return cached == null ? List.of() : List.copyOf(cached.former);
    }

    /** Makes the next use of a secret read it again. */
    synchronized void refresh(String org, String name) {
        CachedSecret cached = cache.get(new Name(org, name));
        if (cached != null) {
            cached.readAt = nanos.getAsLong() - REFRESH_AFTER.toNanos();
        }
    }

    private CachedSecret read(String org, String name) {
        var key = new Name(org, name);
        long now = nanos.getAsLong();
        CachedSecret known;
        synchronized (this) {
            known = cache.get(key);
            if (known != null && now - known.readAt < REFRESH_AFTER.toNanos()) {
                return known;
            }
        }
        Optional<SealedSecret> sealed;
        try {
            sealed = store.find(org, name);
        } catch (Unavailable e) {
            if (known != null && known.value != null) {
                return known;
            }
            throw e;
        }
        return remember(key, sealed, now);
    }

    private synchronized CachedSecret remember(Name key, Optional<SealedSecret> found, long now) {
        if (cache.size() >= NAMES_MAX && !cache.containsKey(key)) {
            cache.clear();
        }
        CachedSecret cached = cache.computeIfAbsent(key, ignored -> new CachedSecret());
        cached.readAt = now;
        cached.problem = null;
        SealedSecret sealed = found.orElse(null);
        if (sealed == null || sealed.keyId() == null || sealed.sealed() == null) {
            cached.replace(null);
            return cached;
        }
        var value =
                cipher.open(sealed.organisation(), key.name, new SecretCipher.Sealed(sealed.keyId(), sealed.sealed()));
        cached.replace(value.orElse(null));
        if (value.isEmpty()) {
            cached.problem = cipher.canOpen(sealed.keyId())
                    ? "its stored form was changed"
                    : "the node does not have the key " + sealed.keyId() + " with which it is sealed";
        }
        return cached;
    }
}
