package dev.weir.engine.work;

import dev.weir.core.life.Assignment;
import dev.weir.core.life.ClaimWork;
import dev.weir.core.life.Update;
import dev.weir.core.limit.Moment;
import dev.weir.engine.Weir;
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

/** Polls for the work of one module, does it on virtual threads, keeps its claims alive, and reports. */
public final class Serving implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Serving.class);
    /** How long it waits after it was refused. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Weir weir;
    private final String org;
    private final Job job;
    private final Semaphore free;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private volatile boolean closing;
    /** Whether bodies are interrupted because a close was told to wait no longer. */
    private volatile boolean abandoned;

    private volatile @Nullable CompletableFuture<List<Assignment>> waiting;

    /**
     * What is served.
     *
     * @param opened makes of what was granted what a handler is given, with its secrets
     */
    public record Job(
            ModuleInfo module,
            Duration lease,
            int concurrency,
            Handler handler,
            Function<Assignment, WorkClaim> opened) {
        public Job {
            if (concurrency < 1) {
                throw new IllegalArgumentException("concurrency must be at least 1, found " + concurrency);
            }
        }

        /** How long one request waits for work: what is given at its end has most of its lease before it. */
        Duration asking() {
            Duration third = lease.dividedBy(3);
            return Weir.WAIT_MAX.compareTo(third) < 0 ? Weir.WAIT_MAX : third;
        }
    }

    public Serving(Weir weir, String org, Job job) {
        this.weir = weir;
        this.org = org;
        this.job = job;
        this.free = new Semaphore(job.concurrency);
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
        free.acquire();
        int more = free.drainPermits();
        List<Assignment> given = List.of();
        long asked = System.nanoTime();
        try {
            given = ask(1 + more);
            for (Assignment assignment : given) {
                threads.execute(() -> work(assignment, asked));
            }
        } catch (CompletionException e) {
            // Refused once is not refused for ever: nobody else would begin to ask again.
            LOG.warn("work of module {} cannot be asked for, and is asked for again", job.module.id(), e);
            TimeUnit.MILLISECONDS.sleep(PAUSE.toMillis());
        } finally {
            free.release(1 + more - given.size());
        }
    }

    /** Asks for work, with one request id until there is an answer, so that no claim is given to nobody. */
    private List<Assignment> ask(int limit) throws InterruptedException {
        if (closing) {
            return List.of();
        }
        var serves = new ClaimWork.Serves(job.module.id(), job.module.profile());
        var work = new ClaimWork(
                UUID.randomUUID().toString(), "this process", List.of(serves), limit, Moment.micros(job.lease));
        List<Assignment> given = Effort.insist(
                () -> {
                    CompletableFuture<List<Assignment>> asked = weir.claim(org, work, job.asking());
                    waiting = asked;
                    if (closing) {
                        // Whoever closes may have looked for it before it was there.
                        asked.cancel(false);
                    }
                    return asked;
                },
                () -> closing);
        return given == null ? List.of() : given;
    }

    private void work(Assignment assignment, long asked) {
        try {
            new Effort(weir, org, assignment, asked).make(() -> handled(assignment), () -> closing);
        } finally {
            free.release();
        }
    }

    /** What the work came to; none if it was cut short by a close, which is no failure of the step. */
    private @Nullable Update handled(Assignment assignment) {
        WorkClaim claim = job.opened.apply(assignment);
        try {
            return job.handler.handle(claim);
        } catch (Exception | LinkageError | AssertionError | StackOverflowError e) {
            return abandoned ? null : claim.log().thrown(e);
        } finally {
            claim.log().flush();
        }
    }

    /**
     * Asks for nothing more, and waits for what is being worked on. If that is interrupted, so is what is being worked on:
     * what fails then is not reported, and its claim is left to expire.
     */
    @Override
    public void close() {
        closing = true;
        CompletableFuture<List<Assignment>> open = waiting;
        if (open != null) {
            open.cancel(false);
        }
        threads.shutdown();
        try {
            while (!threads.awaitTermination(1, TimeUnit.DAYS)) {
                // A handler may take as long as it keeps its claim.
            }
        } catch (InterruptedException e) {
            abandoned = true;
            Thread.currentThread().interrupt();
        }
        threads.close(); // interrupts what it waits for if this thread is interrupted
    }
}
