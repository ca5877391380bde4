package dev.weir.worker;

import dev.weir.worker.ReportQueue.Pending;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Claims work, runs up to a set number of attempts at once, keeps their claims alive, and reports the results. A busy
 * loop needs one request per batch: a request for claims carries the reports that are ready. The loop continues when the
 * source fails, and stops when it is closed.
 *
 * @param <C> the type of a claim
 * @param <R> the type of a report
 */
public final class WorkLoop<C, R> implements AutoCloseable {
    /** The number of undelivered reports above which the loop claims nothing. */
    private static final int UNDELIVERED_MAX = 2 * ReportQueue.BATCH_MAX;

    /** The time that a close waits for the last reports. Claims without a report expire. */
    private static final Duration LAST_REPORTS_TIMEOUT = Duration.ofSeconds(10);

    private static final String ACTIVITY = "polling for work";

    private final WorkSource<C, R> source;
    private final AttemptHandler<C, R> handler;
    private final Settings settings;
    private final Troubles troubles;
    private final Semaphore places;
    private final LeaseKeeper<C> leases;
    private final Reporter<C, R> reporter;
    private final ExecutorService handlerThreads;
    private final Thread poller;
    private final Backoff backoff = new Backoff();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);
    /** True after handlers were interrupted because a close could wait no longer. */
    private volatile boolean handlersInterrupted;

    /**
     * The settings of a loop.
     *
     * @param name the name of its threads
     * @param concurrency the most attempts at once
     * @param lease the time that a claim lasts without a heartbeat
     * @param poll the longest time that one request waits for work
     * @param grace the time that a close waits for the attempts under way
     */
    public record Settings(String name, int concurrency, Duration lease, Duration poll, Duration grace) {
        /** Returns the wait of one request. A claim that is granted at its end has most of its lease left. */
        Duration pollWait() {
            Duration third = lease.dividedBy(3);
            return poll.compareTo(third) < 0 ? poll : third;
        }
    }

    private WorkLoop(WorkSource<C, R> source, AttemptHandler<C, R> handler, Settings settings, Troubles troubles) {
        this.source = source;
        this.handler = handler;
        this.settings = settings;
        this.troubles = troubles;
        this.places = new Semaphore(settings.concurrency());
        this.leases = new LeaseKeeper<>(source, settings.name(), troubles);
        this.reporter = new Reporter<>(source, handler, leases, settings.name(), troubles);
        this.handlerThreads = WorkerThreads.forHandlers(settings.name());
        this.poller = WorkerThreads.daemon(this::poll, settings.name() + " polls");
    }

    public static <C, R> WorkLoop<C, R> start(
            WorkSource<C, R> source, AttemptHandler<C, R> handler, Settings settings, Troubles troubles) {
        var loop = new WorkLoop<>(source, handler, settings, troubles);
        loop.leases.start();
        loop.reporter.start();
        loop.poller.start();
        return loop;
    }

    private void poll() {
        try {
            while (!closing.get()) {
                acquirePlace();
                int free = 1 + places.drainPermits();
                List<Pending<C, R>> reports = reporter.queue().takeForPoll();
                if (!reports.isEmpty() && reporter.queue().size() > UNDELIVERED_MAX) {
                    places.release(free);
                    reporter.deliver(reports);
                } else {
                    pollOnce(free, reports);
                }
            }
        } catch (InterruptedException e) {
            // Only close interrupts this thread.
        } finally {
            reporter.queue().letReporterTake();
        }
    }

    /**
     * Waits for a free place. An attempt that ends brings its report along with its place; reports that are left over
     * now must not wait for that.
     */
    private void acquirePlace() throws InterruptedException {
        reporter.queue().pollEnded();
        if (!places.tryAcquire()) {
            if (reporter.queue().size() > 0) {
                reporter.queue().letReporterTake();
            }
            places.acquire();
            reporter.queue().pollEnded();
        }
    }

    /** Claims as many attempts as there are free places, and releases the places that got none. */
    private void pollOnce(int free, List<Pending<C, R>> reports) throws InterruptedException {
        String request = UUID.randomUUID().toString();
        long requestedAt = System.nanoTime();
        int started = 0;
        try {
            Duration wait = reports.isEmpty() ? settings.pollWait() : Duration.ZERO;
            reporter.prepare(reports);
            WorkSource.Claimed<C> claimed = claimUntilAnswered(
                    new WorkSource.ClaimCall<>(request, free, wait, Reporter.reports(reports)), requestedAt);
            if (claimed == null) {
                reporter.queue().putBack(reports);
                return;
            }
            started = start(claimed.claims(), requestedAt);
            reporter.settle(reports, claimed.outcomes());
            troubles.recovered(ACTIVITY);
            backoff.reset();
        } catch (SourceFailure.Refused e) {
            System.Logger.Level level = e.isForbidden() ? System.Logger.Level.ERROR : System.Logger.Level.WARNING;
            reportFailure(level, "the server refused the poll for work: " + e.getMessage());
            sendSeparately(reports);
        } catch (InterruptedException e) {
            // The source may have granted claims while close interrupted this request. The same request id returns
            // them, so that they need not expire.
            reporter.queue().putBack(reports);
            started = start(recoverClaims(request, free), requestedAt);
            throw e;
        } catch (RuntimeException e) {
            reportFailure(System.Logger.Level.WARNING, ACTIVITY + " failed; the worker retries: " + e);
            sendSeparately(reports);
        } finally {
            places.release(free - started);
        }
    }

    private void reportFailure(System.Logger.Level level, String message) {
        troubles.reportRetried(ACTIVITY, level, message);
    }

    /** Lets the reporter deliver reports while the poller pauses after a failure that is not due to them. */
    private void sendSeparately(List<Pending<C, R>> reports) throws InterruptedException {
        reporter.queue().putBack(reports);
        reporter.queue().letReporterTake();
        backoff.pause(null);
    }

    /**
     * Repeats a request while its outcome is unknown, for as long as a claim would last whose grant was not heard.
     * Returns null after that time.
     */
    private WorkSource.@Nullable Claimed<C> claimUntilAnswered(WorkSource.ClaimCall<R> call, long requestedAt)
            throws InterruptedException {
        while (!closing.get()
                && System.nanoTime() - requestedAt < settings.lease().toNanos()) {
            try {
                return source.claim(call);
            } catch (SourceFailure.Unavailable e) {
                reportFailure(System.Logger.Level.WARNING, ACTIVITY + " failed; the worker retries: " + e.getMessage());
                backoff.pause(e.retryAfter());
            }
        }
        return null;
    }

    private List<C> recoverClaims(String request, int free) {
        try {
            return source.claim(new WorkSource.ClaimCall<>(request, free, Duration.ZERO, List.of()))
                    .claims();
        } catch (RuntimeException | InterruptedException e) {
            return List.of();
        }
    }

    private int start(List<C> claims, long requestedAt) {
        long receivedAt = System.nanoTime();
        for (C claim : claims) {
            var attempt = new Attempt<>(claim, settings.lease(), requestedAt, receivedAt);
            leases.add(attempt);
            handler.opened(attempt);
            handlerThreads.execute(() -> run(attempt));
        }
        return claims.size();
    }

    private void run(Attempt<C> attempt) {
        @Nullable R report = null;
        try {
            if (attempt.awaitConfirmation()) {
                attempt.begin(Thread.currentThread());
                report = handler.run(attempt);
            }
        } catch (InterruptedException e) {
            // The worker closes before the work began.
        } finally {
            attempt.end();
            finish(attempt, report);
        }
    }

    /** Queues the report of an attempt, and frees its place. */
    private void finish(Attempt<C> attempt, @Nullable R report) {
        if (attempt.isLost()) {
            // The worker has interrupted the handler, so that even a normal return may be half of the work.
            troubles.report("the claim of " + handler.describe(attempt.claim()) + " was lost; Weir grants it again");
            leases.remove(attempt);
        } else if (report == null || (handlersInterrupted && handler.isFailure(report))) {
            leases.remove(attempt);
        } else {
            reporter.add(attempt, report);
        }
        places.release();
    }

    /**
     * Waits until this many more reports were delivered, whatever their results. Reports that an earlier call waited
     * for do not count.
     */
    public void awaitReports(int reports) throws InterruptedException {
        reporter.awaitDelivered(reports);
    }

    /** Waits until the loop is closed. */
    public void join() throws InterruptedException {
        closed.await();
    }

    /**
     * Stops claiming, waits for the attempts under way, and delivers their reports. Attempts that take longer than the
     * grace period are interrupted, and their claims expire.
     */
    @Override
    public void close() {
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        poller.interrupt();
        try {
            poller.join();
            handlerThreads.shutdown();
            if (!handlerThreads.awaitTermination(settings.grace().toMillis(), TimeUnit.MILLISECONDS)) {
                interruptHandlers();
                boolean unused = handlerThreads.awaitTermination(1, TimeUnit.SECONDS);
            }
            reporter.finish(LAST_REPORTS_TIMEOUT);
        } catch (InterruptedException e) {
            interruptHandlers();
            Thread.currentThread().interrupt();
        } finally {
            reporter.close();
            leases.close();
            closed.countDown();
        }
    }

    /** Interrupts the handlers. Failures from now on are not reported, because the close caused them, not the step. */
    private void interruptHandlers() {
        handlersInterrupted = true;
        handlerThreads.shutdownNow();
    }
}
