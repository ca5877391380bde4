package dev.weir.engine.work;

import dev.weir.core.life.Assignment;
import dev.weir.core.life.ClaimWork;
import dev.weir.core.life.Heartbeat;
import dev.weir.core.life.Update;
import dev.weir.core.life.UpdateStep;
import dev.weir.core.limit.Moment;
import dev.weir.engine.Unavailable;
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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Polls for the work of one module, does it on virtual threads, keeps its claims alive, and reports. */
public final class Serving implements AutoCloseable {
    /** What part of a lease may go by without a renewal before the work is stopped, in percent. */
    private static final int UNRENEWED_MAX = 80;

    private static final Duration PAUSE = Duration.ofMillis(500);

    private final Weir weir;
    private final String org;
    private final Job job;
    private final Semaphore free;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private volatile boolean closing;
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
    }

    public Serving(Weir weir, String org, Job job) {
        this.weir = weir;
        this.org = org;
        this.job = job;
        this.free = new Semaphore(job.concurrency);
        threads.execute(this::poll);
    }

    private void poll() {
        while (!closing) {
            try {
                free.acquire();
                int more = free.drainPermits();
                List<Assignment> given = List.of();
                long asked = System.nanoTime();
                try {
                    given = ask(1 + more);
                    for (Assignment assignment : given) {
                        threads.execute(() -> work(assignment, asked));
                    }
                } finally {
                    free.release(1 + more - given.size());
                }
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** Asks for work, with one request id until there is an answer, so that no claim is given to nobody. */
    private List<Assignment> ask(int limit) throws InterruptedException {
        var serves = new ClaimWork.Serves(job.module.id(), job.module.profile());
        var work = new ClaimWork(
                UUID.randomUUID().toString(), "this process", List.of(serves), limit, Moment.micros(job.lease));
        List<Assignment> given = insist(
                () -> {
                    CompletableFuture<List<Assignment>> asked = weir.claim(org, work, Weir.WAIT_MAX);
                    waiting = asked;
                    return asked;
                },
                () -> closing);
        return given == null ? List.of() : given;
    }

    /** Asks again as long as nobody knows; gives up, without an answer, when told to. */
    private static <A> @Nullable A insist(Supplier<CompletableFuture<A>> how, Supplier<Boolean> over)
            throws InterruptedException {
        while (!over.get()) {
            try {
                return how.get().join();
            } catch (CompletionException e) {
                if (!(e.getCause() instanceof Unavailable unavailable)) {
                    throw e;
                }
                long millis =
                        Math.max(PAUSE.toMillis(), unavailable.retryAfter().toMillis());
                TimeUnit.MILLISECONDS.sleep(millis);
            } catch (java.util.concurrent.CancellationException e) {
                return null;
            }
        }
        return null;
    }

    private void work(Assignment assignment, long asked) {
        var body = Thread.currentThread();
        Thread beats = Thread.ofVirtual().start(() -> beat(assignment, asked, body));
        Update update;
        try {
            update = job.handler.handle(job.opened.apply(assignment));
        } catch (Exception e) {
            update = new Update.Failed(String.valueOf(e), false);
        } finally {
            beats.interrupt();
        }
        report(assignment, update);
    }

    private void report(Assignment assignment, Update update) {
        var report =
                new UpdateStep(assignment.claim().unit(), assignment.claim().fence(), update);
        boolean interrupted = Thread.interrupted();
        try {
            UpdateStep.Answer unused = insist(() -> weir.send(org, report), () -> false);
        } catch (InterruptedException e) {
            interrupted = true;
        } finally {
            free.release();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Renews a claim every third of its lease; stops the body when the claim is lost or its end comes near. */
    private void beat(Assignment assignment, long asked, Thread body) {
        long lease = job.lease.toNanos();
        long renewed = asked;
        long stopAfter = lease / 100 * UNRENEWED_MAX;
        try {
            while (System.nanoTime() - renewed < stopAfter) {
                long nextBeat = lease / 3 - Math.floorMod(System.nanoTime() - renewed, lease / 3);
                TimeUnit.NANOSECONDS.sleep(nextBeat);
                long sent = System.nanoTime();
                Heartbeat.Answer answer = beaten(assignment, stopAfter - (sent - renewed));
                if (answer instanceof Heartbeat.Answer.Extended extended && !extended.cancelRequested()) {
                    renewed = sent;
                } else if (answer != null) {
                    break;
                }
            }
            body.interrupt();
        } catch (InterruptedException e) {
            // The body is done.
            return;
        }
    }

    private Heartbeat.@Nullable Answer beaten(Assignment assignment, long nanos) throws InterruptedException {
        var beat = new Heartbeat(assignment.claim().unit(), assignment.claim().fence());
        try {
            return weir.send(org, beat).get(Math.max(1, nanos), TimeUnit.NANOSECONDS);
        } catch (java.util.concurrent.ExecutionException | java.util.concurrent.TimeoutException e) {
            return null;
        }
    }

    /** Asks for nothing more, and waits for what is being worked on. */
    @Override
    public void close() {
        closing = true;
        CompletableFuture<List<Assignment>> open = waiting;
        if (open != null) {
            open.cancel(false);
        }
        threads.close();
    }
}
