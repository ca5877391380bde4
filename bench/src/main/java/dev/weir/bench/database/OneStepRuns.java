package dev.weir.bench.database;

import dev.weir.core.command.Assignment;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Weir as a contender: each job is a run of one step, which is started, claimed and reported by separate commands. */
final class OneStepRuns implements Contender {
    /** The largest number of starts without an answer. */
    private static final int UNANSWERED_STARTS_MAX = 3_000;

    private static final int POLLERS = 12;
    private static final int CLAIMS_PER_POLL = 500;

    private final BenchDatabase server;
    private final LocalNode node;
    private final String workflow;
    private final int keys;
    private final ExecutorService workers = Executors.newCachedThreadPool();
    private int next;
    private int requests;

    /**
     * Creates jobs of one workflow. Its flow control, if any, may use {@code input.key}, which cycles through the given
     * number of keys.
     */
    OneStepRuns(BenchDatabase server, LocalNode node, String workflow, String flowControl, int keys) {
        this.server = server;
        this.node = node;
        this.workflow = workflow;
        this.keys = keys;
        node.register(
                """
                workflow: %s
                steps:
                  - id: step
                    uses: %s
                    with: { text: "${{ input.text }}" }
                %s
                """.formatted(workflow, workflow, flowControl.isEmpty() ? "" : "    flow_control: " + flowControl));
    }

    @Override
    public String name() {
        return "Weir " + workflow;
    }

    @Override
    public void run(int jobs) throws Exception {
        var failure = new AtomicReference<@Nullable Throwable>();
        Future<?> starter = workers.submit(() -> startAll(jobs, failure));
        drain(jobs, failure);
        starter.get();
    }

    private void startAll(int jobs, AtomicReference<@Nullable Throwable> failure) {
        var permits = new Semaphore(UNANSWERED_STARTS_MAX);
        for (int i = 0; i < jobs && failure.get() == null; i++) {
            permits.acquireUninterruptibly();
            int job = next++;
            var unused = node.start(workflow + "-" + job, workflow, keys == 1 ? null : job % keys)
                    .whenComplete((answer, error) -> {
                        permits.release();
                        if (error != null) {
                            failure.set(error);
                        }
                    });
        }
    }

    /** Starts runs and leaves them waiting. */
    void startOnly(int jobs) {
        var failure = new AtomicReference<@Nullable Throwable>();
        startAll(jobs, failure);
        throwIfFailed(failure);
    }

    /** Works until the given number of jobs is done. */
    void drain(int jobs) throws InterruptedException, ExecutionException {
        drain(jobs, new AtomicReference<>());
    }

    private void drain(int jobs, AtomicReference<@Nullable Throwable> failure)
            throws InterruptedException, ExecutionException {
        var done = new CountDownLatch(jobs);
        var unclaimed = new AtomicInteger(jobs);
        List<Poller> pollers = new ArrayList<>();
        List<Future<?>> futures = new ArrayList<>();
        for (int i = 0; i < POLLERS; i++) {
            var poller = new Poller(workflow + "-poll-" + requests++ + "-", done, unclaimed, failure);
            pollers.add(poller);
            futures.add(workers.submit(poller::run));
        }
        while (failure.get() == null && !done.await(100, TimeUnit.MILLISECONDS)) {
            // The last reports are still in flight.
        }
        pollers.forEach(Poller::stop);
        for (Future<?> each : futures) {
            each.get();
        }
        throwIfFailed(failure);
    }

    /** Polls for work until it is stopped, and reports each claim at once. */
    private final class Poller {
        private final String name;
        private final CountDownLatch done;
        /** The number of jobs that nobody has polled for. More jobs may wait; they are left for later. */
        private final AtomicInteger unclaimed;

        private final AtomicReference<@Nullable Throwable> failure;
        private volatile boolean stopped;
        private volatile CompletableFuture<List<Assignment>> openPoll = CompletableFuture.completedFuture(List.of());

        Poller(
                String name,
                CountDownLatch done,
                AtomicInteger unclaimed,
                AtomicReference<@Nullable Throwable> failure) {
            this.name = name;
            this.done = done;
            this.unclaimed = unclaimed;
            this.failure = failure;
        }

        void run() {
            try {
                for (int i = 0; !stopped && failure.get() == null; i++) {
                    int maxClaims = reserveClaims();
                    if (maxClaims == 0) {
                        break;
                    }
                    openPoll = node.claim(name + i, workflow, maxClaims);
                    if (stopped) {
                        openPoll.cancel(true);
                    }
                    List<Assignment> claims = openPoll.join();
                    unclaimed.addAndGet(maxClaims - claims.size());
                    claims.forEach(this::report);
                }
            } catch (CancellationException e) {
                // Everything is done, so the open poll was cancelled.
                stopped = true;
            } catch (RuntimeException e) {
                failure.set(e);
            }
        }

        private int reserveClaims() {
            int before = unclaimed.getAndUpdate(now -> now - Math.min(CLAIMS_PER_POLL, now));
            return Math.min(CLAIMS_PER_POLL, before);
        }

        private void report(Assignment claim) {
            var unused = node.complete(claim).whenComplete((answer, error) -> {
                done.countDown();
                if (error != null) {
                    failure.set(error);
                }
            });
        }

        void stop() {
            stopped = true;
            openPoll.cancel(true);
        }
    }

    private void throwIfFailed(AtomicReference<@Nullable Throwable> failure) {
        Throwable error = failure.get();
        if (error != null) {
            throw new IllegalStateException(name() + " failed", error);
        }
    }

    @Override
    public long done() throws SQLException {
        return server.number(
                "select count(*) from weir.run_history where workflow = '" + workflow + "' and state = 'c'");
    }

    @Override
    public void close() {
        workers.shutdownNow();
    }
}
