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

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    @Test
    void a_revoked_token_ends_after_five_seconds() {
        assertThat(tokens.organisation("t")).contains("acme");
        store.found.remove("t");
        assertThat(tokens.organisation("t")).contains("acme");
        pass(TokenCache.KNOWN_FOR);
        assertThat(tokens.organisation("t")).isEmpty();
        assertThat(tokens.organisation("t")).isEmpty();
    }

    @Test
    void a_known_token_is_good_while_the_store_is_away_for_a_minute_and_no_longer() {
        assertThat(tokens.organisation("t")).contains("acme");
        store.away = true;
        assertThatThrownBy(() -> tokens.organisation("unknown")).isInstanceOf(Unavailable.class);
        pass(TokenCache.KNOWN_FOR);
        assertThat(tokens.organisation("t")).contains("acme");
        pass(TokenCache.KNOWN_MAX.minus(TokenCache.KNOWN_FOR));
        assertThat(tokens.organisation("t")).contains("acme");
        pass(Duration.ofNanos(1));
        assertThatThrownBy(() -> tokens.organisation("t")).isInstanceOf(Unavailable.class);
        store.away = false;
        assertThat(tokens.organisation("t")).contains("acme");
    }

    @Test
    void a_store_that_is_away_is_asked_once_a_second_for_a_known_token() {
        tokens.organisation("t");
        store.away = true;
        pass(TokenCache.KNOWN_FOR);
        int before = store.asked.get();
        for (int i = 0; i < 10; i++) {
            assertThat(tokens.organisation("t")).contains("acme");
        }
        assertThat(store.asked).hasValue(before + 1);
        pass(TokenCache.PAUSE);
        tokens.organisation("t");
        assertThat(store.asked).hasValue(before + 2);
    }

    @Test
    void while_one_request_looks_a_known_token_up_others_go_on() throws Exception {
        tokens.organisation("t");
        pass(TokenCache.KNOWN_FOR);
        var hanging = new CountDownLatch(1);
        store.hanging = hanging;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var first = threads.submit(() -> tokens.organisation("t"));
            await().until(() -> store.asked.get() == 2);
            assertThat(tokens.organisation("t")).contains("acme");
            assertThat(first.isDone()).isFalse();
            hanging.countDown();
            assertThat(first.get()).contains("acme");
        }
        assertThat(store.asked).hasValue(2);
    }

    /** A store of organisations in memory that can be unavailable or slow. */
    private static final class Store implements OrganisationStore {
        final Map<String, OrganisationRecord> found =
                new HashMap<>(Map.of("t", new OrganisationRecord("acme", 1, Instant.EPOCH)));
        final AtomicInteger asked = new AtomicInteger();
        volatile boolean away;
        volatile @Nullable CountDownLatch hanging;

        @Override
        public Optional<OrganisationRecord> findByToken(String token) {
            asked.incrementAndGet();
            if (away) {
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
            return Optional.ofNullable(found.get(token));
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
