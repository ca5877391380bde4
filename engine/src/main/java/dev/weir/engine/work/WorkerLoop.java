package dev.weir.engine.work;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.limit.Moment;
import dev.weir.core.state.Update;
import dev.weir.engine.request.WorkerPort;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Polls for the work of one module, runs it on virtual threads, keeps its claims alive, and reports. */
public final class WorkerLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerLoop.class);
    /** The pause after a refused poll. */
    private static final Duration POLL_BACKOFF = Duration.ofSeconds(1);

    private final WorkerPort weir;
    private final String org;
    private final Job job;
    private final Semaphore permits;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private volatile boolean closing;
    /** True if a close was interrupted, so that running handlers are interrupted too. */
    private volatile boolean abandoned;

    private volatile @Nullable CompletableFuture<List<Assignment>> openPoll;

    /**
     * The settings of a worker.
     *
     * @param resolver converts a granted claim to what a handler receives, with its secrets
     */
    public record Job(
            ModuleInfo module,
            Duration lease,
            int concurrency,
            ModuleHandler handler,
            Function<Assignment, WorkClaim> resolver) {
        public Job {
            if (concurrency < 1) {
                throw new IllegalArgumentException("concurrency must be at least 1, found " + concurrency);
            }
        }

        /**
         * The longest wait of one poll. It is short enough that a claim granted at its end has most of its lease left.
         */
        Duration pollTimeout() {
            Duration third = lease.dividedBy(3);
            return WorkerPort.WAIT_MAX.compareTo(third) < 0 ? WorkerPort.WAIT_MAX : third;
        }
    }

    public WorkerLoop(WorkerPort weir, String org, Job job) {
        this.weir = weir;
        this.org = org;
        this.job = job;
        this.permits = new Semaphore(job.concurrency);
        threads.execute(this::poll);
    }

    private void poll() {
        try {
            while (!closing) {
                pollOnce();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void pollOnce() throws InterruptedException {
        permits.acquire();
        int more = permits.drainPermits();
        List<Assignment> assignments = List.of();
        long asked = System.nanoTime();
        try {
            assignments = claim(1 + more);
            for (Assignment assignment : assignments) {
                threads.execute(() -> execute(assignment, asked));
            }
        } catch (CompletionException e) {
            // Keep polling: a later poll may succeed, and nothing else would start the loop again.
            LOG.warn("Polling for work of module {} failed; the worker retries", job.module.id(), e);
            TimeUnit.MILLISECONDS.sleep(POLL_BACKOFF.toMillis());
        } finally {
            permits.release(1 + more - assignments.size());
        }
    }

    /** Polls with one request id until there is an answer, so that no granted claim is lost. */
    private List<Assignment> claim(int limit) throws InterruptedException {
        if (closing) {
            return List.of();
        }
        var serves = new ClaimWork.ServedModule(job.module.id(), job.module.profile());
        var work = new ClaimWork(
                UUID.randomUUID().toString(), "this process", List.of(serves), limit, Moment.micros(job.lease));
        List<Assignment> assignments = ClaimExecution.retryWhileUnavailable(
                () -> {
                    CompletableFuture<List<Assignment>> asked = weir.claim(org, work, job.pollTimeout());
                    openPoll = asked;
                    if (closing) {
                        // The closing thread may have looked for the poll before it was stored.
                        asked.cancel(false);
                    }
                    return asked;
                },
                () -> closing);
        return assignments == null ? List.of() : assignments;
    }

    private void execute(Assignment assignment, long asked) {
        try {
            new ClaimExecution(weir, org, assignment, asked).run(() -> runHandler(assignment), () -> closing);
        } finally {
            permits.release();
        }
    }

    /** Runs the handler and returns the report; null if a close cut it short, which is no failure of the step. */
    private @Nullable Update runHandler(Assignment assignment) {
        WorkClaim claim = job.resolver.apply(assignment);
        try {
            return job.handler.handle(claim);
        } catch (Exception | LinkageError | AssertionError | StackOverflowError e) {
            return abandoned ? null : claim.log().logFailure(e);
        } finally {
            claim.log().flush();
        }
    }

    /**
     * Stops polling, and waits for running handlers. If the waiting thread is interrupted, so are the handlers. A
     * handler that fails then is not reported, and its claim expires.
     */
    @Override
    public void close() {
        closing = true;
        CompletableFuture<List<Assignment>> open = openPoll;
        if (open != null) {
            open.cancel(false);
        }
        threads.shutdown();
        try {
            while (!threads.awaitTermination(1, TimeUnit.DAYS)) {
                // A handler may run for as long as it keeps its claim.
            }
        } catch (InterruptedException e) {
            abandoned = true;
            Thread.currentThread().interrupt();
        }
        threads.close(); // interrupts the handlers if this thread is interrupted
    }
}
