package dev.weir.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests the loop of a worker with a source in memory, whose claims and reports are texts. */
class WorkLoopTest {
    private static final Duration GUARD = Duration.ofSeconds(60);

    private final MemorySource source = new MemorySource();
    private final List<String> troubles = new CopyOnWriteArrayList<>();

    private WorkLoop<String, String> start(int concurrency, Function<String, @Nullable String> work) {
        var handler = new AttemptHandler<String, String>() {
            @Override
            public @Nullable String run(Attempt<String> attempt) {
                return work.apply(attempt.claim());
            }

            @Override
            public boolean isFailure(String report) {
                return report.startsWith("failed");
            }

            @Override
            public String refused(String claim, String reason) {
                return "failed " + claim + ": " + reason;
            }

            @Override
            public String describe(String claim) {
                return claim;
            }
        };
        var settings = new WorkLoop.Settings("test", concurrency, GUARD, Duration.ofSeconds(20), GUARD);
        return WorkLoop.start(source, handler, settings, new Troubles((level, message) -> troubles.add(message)));
    }

    @Test
    void every_claim_is_reported_once_and_reports_share_requests() throws Exception {
        source.offer(2_000);
        try (var loop = start(100, claim -> "done " + claim)) {
            loop.awaitReports(2_000);
        }
        assertThat(source.reports).hasSize(2_000).doesNotHaveDuplicates();
        assertThat(source.requestsWithReports.get()).isLessThan(2_000);
    }

    @Test
    void what_is_ready_when_a_request_returns_goes_into_the_next_one() throws Exception {
        source.offer(40);
        var finished = new CountDownLatch(39);
        var last = new CountDownLatch(1);
        // All but one end while the source is closed, so that their reports collect.
        try (var loop = start(40, claim -> {
            if (claim.equals("0")) {
                awaitLatch(last);
            } else {
                awaitLatch(source.closed);
                finished.countDown();
            }
            return "done " + claim;
        })) {
            await().atMost(GUARD).until(() -> source.granted.get() == 40);
            source.close();
            finished.await();
            await().atMost(GUARD).until(() -> source.waiting.get() > 0);
            last.countDown();
            source.open();
            loop.awaitReports(40);
        }
        assertThat(source.requestsWithReports.get()).isLessThanOrEqualTo(20);
        assertThat(source.reports).hasSize(40).doesNotHaveDuplicates();
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException("the guard is over", e);
        }
    }

    @Test
    void a_request_without_an_answer_is_sent_again_with_the_same_id_and_reports() throws Exception {
        source.failures.set(3);
        source.offer(1);
        try (var loop = start(1, claim -> "done " + claim)) {
            loop.awaitReports(1);
        }
        assertThat(source.failedIds).as("one request, repeated").hasSize(1);
        assertThat(troubles).hasSize(1);
        assertThat(troubles.get(0)).contains("polling for work failed", "away");
    }

    @Test
    void a_refused_report_is_replaced_by_a_permanent_failure() throws Exception {
        source.offer(1);
        try (var loop = start(1, claim -> "refuse " + claim)) {
            loop.awaitReports(1);
        }
        assertThat(source.reports).containsExactly("failed 0: the server refused the report: no such thing");
    }

    @Test
    void a_refused_poll_does_not_keep_reports_back() throws Exception {
        source.offer(3);
        source.refuseClaimsWithReports = true;
        try (var loop = start(1, claim -> "done " + claim)) {
            loop.awaitReports(3);
        }
        assertThat(source.reports).containsExactlyInAnyOrder("done 0", "done 1", "done 2");
    }

    @Test
    void a_close_finishes_the_work_under_way_and_reports_it() throws Exception {
        source.offer(3);
        var go = new CountDownLatch(1);
        var loop = start(3, claim -> {
            awaitLatch(go);
            return "done " + claim;
        });
        await().atMost(GUARD).until(() -> source.granted.get() == 3);
        var closer = new Thread(loop::close);
        closer.start();
        go.countDown();
        closer.join();
        loop.join();
        assertThat(source.reports).containsExactlyInAnyOrder("done 0", "done 1", "done 2");
    }

    @Test
    void handlers_run_on_virtual_threads_where_there_are_any() throws Exception {
        source.offer(1);
        Set<String> threads = ConcurrentHashMap.newKeySet();
        try (var loop = start(1, claim -> {
            threads.add(Thread.currentThread().toString());
            return "done " + claim;
        })) {
            loop.awaitReports(1);
        }
        boolean available = Runtime.version().feature() >= 21;
        assertThat(threads).allMatch(thread -> thread.startsWith("VirtualThread") == available);
    }

    /** A source in memory. Its answers can be held back and made to fail. */
    private static final class MemorySource implements WorkSource<String, String> {
        final List<String> reports = new CopyOnWriteArrayList<>();
        final Set<String> failedIds = ConcurrentHashMap.newKeySet();
        final AtomicInteger requestsWithReports = new AtomicInteger();
        final AtomicInteger granted = new AtomicInteger();
        final AtomicInteger failures = new AtomicInteger();
        final AtomicInteger waiting = new AtomicInteger();
        final CountDownLatch closed = new CountDownLatch(1);
        volatile boolean refuseClaimsWithReports;
        private int offered;
        private boolean open = true;

        synchronized void offer(int claims) {
            offered += claims;
            notifyAll();
        }

        synchronized void close() {
            open = false;
            closed.countDown();
        }

        synchronized void open() {
            open = true;
            notifyAll();
        }

        @Override
        public synchronized Claimed<String> claim(ClaimCall<String> call) throws InterruptedException {
            if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                failedIds.add(call.request());
                throw new SourceFailure.Unavailable("away", null, null);
            }
            if (refuseClaimsWithReports && !call.reports().isEmpty()) {
                throw new SourceFailure.Refused("no updates here", false, null);
            }
            List<Outcome> outcomes = call.reports().isEmpty() ? List.of() : receive(call.reports());
            while (granted.get() == offered && !call.waitTime().isZero()) {
                wait();
            }
            List<String> claims = new ArrayList<>();
            while (claims.size() < call.limit() && granted.get() < offered) {
                claims.add(String.valueOf(granted.getAndIncrement()));
            }
            return new Claimed<>(claims, outcomes);
        }

        @Override
        public synchronized List<Outcome> report(List<String> batch) throws InterruptedException {
            return receive(batch);
        }

        private List<Outcome> receive(List<String> batch) throws InterruptedException {
            waiting.incrementAndGet();
            while (!open) {
                wait();
            }
            requestsWithReports.incrementAndGet();
            List<Outcome> outcomes = new ArrayList<>();
            for (String report : batch) {
                if (report.startsWith("refuse")) {
                    outcomes.add(new Outcome("no such thing"));
                } else {
                    reports.add(report);
                    outcomes.add(Outcome.RECEIVED);
                }
            }
            return outcomes;
        }

        @Override
        public List<Renewal> renew(List<String> claims) {
            return claims.stream().map(claim -> Renewal.extended(60_000, false)).toList();
        }

        @Override
        public int bytes(String report) {
            return report.length();
        }
    }
}
