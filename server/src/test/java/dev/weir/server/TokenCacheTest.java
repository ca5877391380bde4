package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.core.state.Attribution;
import dev.weir.core.state.Rights;
import dev.weir.engine.organisations.Caller;
import dev.weir.engine.organisations.OrganisationRecord;
import dev.weir.engine.organisations.OrganisationStore;
import dev.weir.engine.records.PageRequest;
import dev.weir.engine.records.RecordPage;
import dev.weir.engine.request.Unavailable;
import dev.weir.server.http.Credential;
import dev.weir.testkit.journal.MemorySessionStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TokenCacheTest {
    private static final Caller ACME = new Caller("acme", "ci", Rights.ALL);

    private final AtomicLong now = new AtomicLong();
    private final Store store = new Store();
    private final TokenCache tokens = new TokenCache(store, new MemorySessionStore(store::findByToken), now::get);

    private void advance(Duration time) {
        now.addAndGet(time.toNanos());
    }

    @Test
    void a_revoked_token_ends_after_five_seconds() {
        assertThat(tokens.caller(Credential.token("t"))).contains(ACME);
        store.byToken.remove("t");
        assertThat(tokens.caller(Credential.token("t"))).contains(ACME);
        advance(TokenCache.REFRESH_AFTER);
        assertThat(tokens.caller(Credential.token("t"))).isEmpty();
        assertThat(tokens.caller(Credential.token("t"))).isEmpty();
    }

    @Test
    void a_known_token_is_good_while_the_store_is_unavailable_for_a_minute_and_no_longer() {
        assertThat(tokens.caller(Credential.token("t"))).contains(ACME);
        store.unavailable = true;
        assertThatThrownBy(() -> tokens.caller(Credential.token("unknown"))).isInstanceOf(Unavailable.class);
        advance(TokenCache.REFRESH_AFTER);
        assertThat(tokens.caller(Credential.token("t"))).contains(ACME);
        advance(TokenCache.EXPIRE_AFTER.minus(TokenCache.REFRESH_AFTER));
        assertThat(tokens.caller(Credential.token("t"))).contains(ACME);
        advance(Duration.ofNanos(1));
        assertThatThrownBy(() -> tokens.caller(Credential.token("t"))).isInstanceOf(Unavailable.class);
        store.unavailable = false;
        assertThat(tokens.caller(Credential.token("t"))).contains(ACME);
    }

    @Test
    void an_unavailable_store_is_queried_once_a_second_for_a_known_token() {
        tokens.caller(Credential.token("t"));
        store.unavailable = true;
        advance(TokenCache.REFRESH_AFTER);
        int before = store.lookups.get();
        for (int i = 0; i < 10; i++) {
            assertThat(tokens.caller(Credential.token("t"))).contains(ACME);
        }
        assertThat(store.lookups).hasValue(before + 1);
        advance(TokenCache.RETRY_INTERVAL);
        tokens.caller(Credential.token("t"));
        assertThat(store.lookups).hasValue(before + 2);
    }

    @Test
    void while_one_request_refreshes_a_known_token_others_continue() throws Exception {
        tokens.caller(Credential.token("t"));
        advance(TokenCache.REFRESH_AFTER);
        var hanging = new CountDownLatch(1);
        store.hanging = hanging;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var first = threads.submit(() -> tokens.caller(Credential.token("t")));
            await().until(() -> store.lookups.get() == 2);
            assertThat(tokens.caller(Credential.token("t"))).contains(ACME);
            assertThat(first.isDone()).isFalse();
            hanging.countDown();
            assertThat(first.get()).contains(ACME);
        }
        assertThat(store.lookups).hasValue(2);
    }

    @Test
    void many_uses_of_a_token_are_one_write() {
        for (int i = 0; i < 100; i++) {
            tokens.caller(Credential.token("t"));
        }
        tokens.caller(Credential.token("unknown"));
        tokens.writeUses();
        tokens.writeUses();
        assertThat(store.uses).containsExactly(List.of("t"));
        advance(TokenCache.REFRESH_AFTER);
        tokens.caller(Credential.token("t"));
        tokens.writeUses();
        assertThat(store.uses).hasSize(2);
    }

    @Test
    void uses_that_could_not_be_written_are_written_later() {
        tokens.caller(Credential.token("t"));
        store.unavailable = true;
        tokens.writeUses();
        store.unavailable = false;
        tokens.writeUses();
        assertThat(store.uses).containsExactly(List.of("t"));
    }

    /** A store of organisations in memory that can be unavailable or slow. */
    private static final class Store implements OrganisationStore {
        final Map<String, Caller> byToken = new HashMap<>(Map.of("t", ACME));
        final List<Collection<String>> uses = new ArrayList<>();
        final AtomicInteger lookups = new AtomicInteger();
        volatile boolean unavailable;
        volatile @Nullable CountDownLatch hanging;

        @Override
        public Optional<Caller> findByToken(String token) {
            lookups.incrementAndGet();
            if (unavailable) {
                throw new Unavailable("the store is away", Duration.ofSeconds(1));
            }
            CountDownLatch until = hanging;
            if (until != null) {
                try {
                    until.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            return Optional.ofNullable(byToken.get(token));
        }

        @Override
        public OrganisationRecord createOrganisation(String name) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Optional<OrganisationRecord> createOrganisation(String name, Attribution by) {
            throw new UnsupportedOperationException();
        }

        @Override
        public StarterLogin createStarter(String org, Attribution by) {
            throw new UnsupportedOperationException();
        }

        @Override
        public RenameOutcome rename(String name, String newName, Attribution by) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Optional<OrganisationRecord> findOrganisation(String name) {
            throw new UnsupportedOperationException();
        }

        @Override
        public RecordPage<OrganisationRecord> list(PageRequest page) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String createToken(String org, String name) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void recordUses(Collection<String> used) {
            if (unavailable) {
                throw new Unavailable("the store is away", Duration.ofSeconds(1));
            }
            uses.add(List.copyOf(used));
        }
    }
}
