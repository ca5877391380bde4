package dev.weir.postgres.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.engine.request.Unavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class BatchedLookupTest {
    private static final Duration WAIT = Duration.ofMinutes(2);
    private static final int UNKNOWN = -1;
    private static final int FAILING = -2;

    private final List<Integer> batches = new CopyOnWriteArrayList<>();
    private final CountDownLatch begin = new CountDownLatch(1);

    /** Squares numbers, after a caller has let it begin. */
    private Map<Integer, Integer> square(Collection<Integer> keys) {
        batches.add(keys.size());
        try {
            begin.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        if (keys.contains(FAILING)) {
            throw new Unavailable("the store is away", Duration.ofSeconds(3));
        }
        return keys.stream()
                .filter(key -> key != UNKNOWN)
                .collect(Collectors.toMap(Function.identity(), key -> key * key));
    }

    @Test
    void callers_that_arrive_during_a_query_share_the_next_ones() throws Exception {
        var lookup = new BatchedLookup<>("squares", WAIT, this::square);
        int callers = 2 * BatchedLookup.BATCH_MAX;
        List<Future<Optional<Integer>>> answers = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var first = threads.submit(() -> lookup.find(0));
            await().until(() -> batches.size() == 1);
            var allStarted = new CountDownLatch(callers);
            for (int i = 1; i <= callers; i++) {
                int key = i;
                answers.add(threads.submit(() -> {
                    allStarted.countDown();
                    return lookup.find(key);
                }));
            }
            allStarted.await();
            begin.countDown();
            assertThat(first.get()).contains(0);
        }
        for (int i = 1; i <= callers; i++) {
            assertThat(answers.get(i - 1).get()).contains(i * i);
        }
        assertThat(batches.stream().mapToInt(Integer::intValue).sum()).isEqualTo(callers + 1);
        assertThat(batches).allMatch(size -> size <= BatchedLookup.BATCH_MAX);
        assertThat(batches.size()).isLessThan(callers / 4);
    }

    @Test
    void a_key_without_a_value_is_answered_empty() {
        begin.countDown();
        assertThat(new BatchedLookup<>("squares", WAIT, this::square).find(UNKNOWN))
                .isEmpty();
    }

    @Test
    void a_query_that_fails_fails_its_own_callers_only() {
        begin.countDown();
        var lookup = new BatchedLookup<>("squares", WAIT, this::square);
        assertThatThrownBy(() -> lookup.find(FAILING))
                .isInstanceOfSatisfying(
                        Unavailable.class, e -> assertThat(e.retryAfter()).isEqualTo(Duration.ofSeconds(3)))
                .hasMessage("looking up squares: the store is away");
        assertThat(lookup.find(3)).contains(9);
    }

    @Test
    void a_caller_waits_no_longer_than_it_may() {
        var lookup = new BatchedLookup<>("squares", Duration.ofMillis(1), this::square);
        assertThatThrownBy(() -> lookup.find(3))
                .isInstanceOf(Unavailable.class)
                .hasMessageContaining("no response within");
        begin.countDown();
    }
}
