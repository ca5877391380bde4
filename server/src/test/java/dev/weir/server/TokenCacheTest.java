package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.engine.organisations.ApiToken;
import dev.weir.engine.organisations.OrganisationRecord;
import dev.weir.engine.organisations.OrganisationStore;
import dev.weir.engine.records.PageRequest;
import dev.weir.engine.records.RecordPage;
import dev.weir.engine.request.Unavailable;
import java.time.Duration;
import java.time.Instant;
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
    private final AtomicLong now = new AtomicLong();
    private final Store store = new Store();
    private final TokenCache tokens = new TokenCache(store, now::get);

    private void advance(Duration time) {
        now.addAndGet(time.toNanos());
    }

    @Test
    void a_revoked_token_ends_after_five_seconds() {
        assertThat(tokens.organisation("t")).contains("acme");
        store.byToken.remove("t");
        assertThat(tokens.organisation("t")).contains("acme");
        advance(TokenCache.REFRESH_AFTER);
        assertThat(tokens.organisation("t")).isEmpty();
        assertThat(tokens.organisation("t")).isEmpty();
    }

    @Test
    void a_known_token_is_good_while_the_store_is_unavailable_for_a_minute_and_no_longer() {
        assertThat(tokens.organisation("t")).contains("acme");
        store.unavailable = true;
        assertThatThrownBy(() -> tokens.organisation("unknown")).isInstanceOf(Unavailable.class);
        advance(TokenCache.REFRESH_AFTER);
        assertThat(tokens.organisation("t")).contains("acme");
        advance(TokenCache.EXPIRE_AFTER.minus(TokenCache.REFRESH_AFTER));
        assertThat(tokens.organisation("t")).contains("acme");
        advance(Duration.ofNanos(1));
        assertThatThrownBy(() -> tokens.organisation("t")).isInstanceOf(Unavailable.class);
        store.unavailable = false;
        assertThat(tokens.organisation("t")).contains("acme");
    }

    @Test
    void an_unavailable_store_is_queried_once_a_second_for_a_known_token() {
        tokens.organisation("t");
        store.unavailable = true;
        advance(TokenCache.REFRESH_AFTER);
        int before = store.lookups.get();
        for (int i = 0; i < 10; i++) {
            assertThat(tokens.organisation("t")).contains("acme");
        }
        assertThat(store.lookups).hasValue(before + 1);
        advance(TokenCache.RETRY_INTERVAL);
        tokens.organisation("t");
        assertThat(store.lookups).hasValue(before + 2);
    }

    @Test
    void while_one_request_refreshes_a_known_token_others_continue() throws Exception {
        tokens.organisation("t");
        advance(TokenCache.REFRESH_AFTER);
        var hanging = new CountDownLatch(1);
        store.hanging = hanging;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var first = threads.submit(() -> tokens.organisation("t"));
            await().until(() -> store.lookups.get() == 2);
            assertThat(tokens.organisation("t")).contains("acme");
            assertThat(first.isDone()).isFalse();
            hanging.countDown();
            assertThat(first.get()).contains("acme");
        }
        assertThat(store.lookups).hasValue(2);
    }

    /** A store of organisations in memory that can be unavailable or slow. */
    private static final class Store implements OrganisationStore {
        final Map<String, OrganisationRecord> byToken =
                new HashMap<>(Map.of("t", new OrganisationRecord("acme", 1, Instant.EPOCH)));
        final AtomicInteger lookups = new AtomicInteger();
        volatile boolean unavailable;
        volatile @Nullable CountDownLatch hanging;

        @Override
        public Optional<OrganisationRecord> findByToken(String token) {
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
        public List<ApiToken> tokens(String org) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int revokeTokens(String org, String name) {
            throw new UnsupportedOperationException();
        }
    }
}
