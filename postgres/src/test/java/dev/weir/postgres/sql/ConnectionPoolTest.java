package dev.weir.postgres.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.weir.engine.request.TooManyReads;
import dev.weir.engine.request.Unavailable;
import dev.weir.postgres.TestPostgres;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ConnectionPoolTest {
    private static final int BUSY = 1;
    private static final int OTHER = 2;
    private static final Duration WAIT = Duration.ofSeconds(1);

    private final AtomicInteger busyConnections = new AtomicInteger();
    private final CountDownLatch enough = new CountDownLatch(1);

    @Test
    @Tag("S9")
    void an_organisation_with_many_reads_delays_only_itself() throws Exception {
        try (var pool = new ConnectionPool(TestPostgres.address(), "test", ConnectionPool.READ_CONNECTIONS, WAIT);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Boolean>> readers = new ArrayList<>();
            try {
                assertOthersCanRead(pool, threads, readers);
            } finally {
                // Closing the executor waits for the readers.
                enough.countDown();
            }
            assertThat(pool.<Boolean>runAsRequest("reading", BUSY, connection -> true))
                    .isTrue();
        }
    }

    private void assertOthersCanRead(ConnectionPool pool, ExecutorService threads, List<Future<Boolean>> readers) {
        for (int i = 0; i < 4 * ConnectionPool.READ_CONNECTIONS; i++) {
            readers.add(threads.submit(() -> pool.runAsRequest("reading", BUSY, connection -> occupy())));
        }
        await().until(() -> busyConnections.get() == ConnectionPool.READS_PER_ORGANISATION_MAX);
        assertThat(pool.<Boolean>runAsRequest("reading", OTHER, connection -> true))
                .isTrue();
        await().untilAsserted(() -> assertThat(
                        readers.stream().filter(Future::isDone).count())
                .isEqualTo(4L * ConnectionPool.READ_CONNECTIONS - ConnectionPool.READS_PER_ORGANISATION_MAX));
        assertThat(catchThrowable(readers.getLast()::get).getCause())
                .isInstanceOf(TooManyReads.class)
                .hasMessageContaining(
                        "at most " + ConnectionPool.READS_PER_ORGANISATION_MAX + " reads of an organisation at once");
        assertThat(busyConnections).hasValue(ConnectionPool.READS_PER_ORGANISATION_MAX);
    }

    @Test
    void a_caller_waits_for_a_connection_no_longer_than_the_timeout() {
        try (var pool = new ConnectionPool(TestPostgres.address(), "test", 1, WAIT);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            try {
                occupyOne(pool, threads);
                long from = System.nanoTime();
                assertThatThrownBy(() -> pool.runAsEngine("looking", connection -> true))
                        .isInstanceOf(Unavailable.class);
                // The factor leaves far more time than a busy machine needs.
                assertThat(Duration.ofNanos(System.nanoTime() - from)).isLessThan(WAIT.multipliedBy(30));
            } finally {
                enough.countDown();
            }
        }
    }

    private void occupyOne(ConnectionPool pool, ExecutorService threads) {
        threads.execute(() -> pool.runAsEngine("holding", connection -> occupy()));
        await().until(() -> busyConnections.get() == 1);
    }

    private boolean occupy() {
        busyConnections.incrementAndGet();
        try {
            enough.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return true;
    }
}
