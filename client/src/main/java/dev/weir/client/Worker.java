package dev.weir.client;

import dev.weir.api.Work.ClaimRequest;
import dev.weir.api.Work.ModuleInfo;
import dev.weir.api.Work.ModuleStatusUpdate;
import dev.weir.api.Work.WorkClaim;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Claims work for its modules, runs up to a set number of jobs at once, keeps their claims alive with heartbeats,
 * and reports the results. It keeps running when the server restarts. After {@link #close} it claims nothing more
 * and finishes the jobs under way.
 */
public final class Worker implements AutoCloseable {
    private static final Duration REPORT_RETRY_TIMEOUT = Duration.ofMinutes(5);
    private static final long BACKOFF_MILLIS = 500;

    private final Client client;
    private final Map<String, Handler> handlers;
    private final List<ModuleInfo> modules;
    private final WorkerSettings settings;
    private final Semaphore permits;
    private final TroubleListener trouble;
    private final HeartbeatLoop heartbeats;
    private final LogSender logs;
    private final ExecutorService jobExecutor;
    private final Thread poller;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final Semaphore reports = new Semaphore(0);
    /** True after handlers were interrupted because a close could wait no longer. */
    private volatile boolean handlersInterrupted;

    private Worker(Client client, List<ModuleInfo> modules, Map<String, Handler> handlers, WorkerSettings settings) {
        this.client = client;
        this.modules = List.copyOf(modules);
        this.handlers = Map.copyOf(handlers);
        this.settings = settings;
        this.permits = new Semaphore(settings.concurrency());
        this.trouble = new TroubleListener(settings.trouble());
        this.heartbeats = new HeartbeatLoop(client, settings);
        this.logs = new LogSender(client, settings);
        var jobNumbers = new AtomicInteger();
        this.jobExecutor = Executors.newCachedThreadPool(
                task -> daemonThread(task, settings.name() + " job " + jobNumbers.incrementAndGet()));
        this.poller = daemonThread(this::poll, settings.name() + " polls");
    }

    /** Starts a worker for these modules. */
    public static Worker start(Client client, Map<String, Handler> handlers, WorkerSettings settings) {
        var modules = handlers.keySet().stream().map(ModuleInfo::of).toList();
        return start(client, modules, handlers, settings);
    }

    /** Starts a worker whose modules declare their concurrency defaults. */
    public static Worker start(
            Client client, List<ModuleInfo> modules, Map<String, Handler> handlers, WorkerSettings settings) {
        var worker = new Worker(client, modules, handlers, settings);
        worker.heartbeats.start();
        worker.logs.start();
        worker.poller.start();
        return worker;
    }

    static Thread daemonThread(Runnable task, String name) {
        var thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    private void poll() {
        while (!closing.get()) {
            try {
                permits.acquire();
                int free = 1 + permits.drainPermits();
                claimJobs(free);
            } catch (InterruptedException e) {
                return; // only close interrupts this thread
            }
        }
    }

    /** Claims as many jobs as there are free places, and releases the places that got no job. */
    private void claimJobs(int free) throws InterruptedException {
        String request = UUID.randomUUID().toString();
        long requestedAt = System.nanoTime();
        List<WorkClaim> claims = List.of();
        try {
            claims = List.copyOf(client.claim(request(request, free, settings.pollWait()), settings.pollWait())
                    .claims());
            trouble.recovered();
        } catch (RequestFailed.Unreachable e) {
            backOff();
        } catch (RequestFailed.Refused e) {
            trouble.report("the server refused the poll for work: " + e.getMessage());
            backOff();
        } catch (InterruptedException e) {
            // The server may have granted claims while close interrupted this request. The same request id returns
            // them, so that they need not expire.
            claims = recoverClaims(request, free);
            startJobs(claims, requestedAt, free);
            throw e;
        } catch (RuntimeException e) {
            trouble.reportFailure("polling for work", e);
            backOff();
        }
        startJobs(claims, requestedAt, free);
    }

    private void startJobs(List<WorkClaim> claims, long requestedAt, int free) {
        long receivedAt = System.nanoTime();
        for (WorkClaim claim : claims) {
            var job = new Job(claim, settings.lease(), requestedAt, receivedAt);
            heartbeats.add(job);
            logs.add(job);
            jobExecutor.execute(() -> runJob(job));
        }
        permits.release(free - claims.size());
    }

    private List<WorkClaim> recoverClaims(String request, int free) {
        try {
            return client.claim(request(request, free, Duration.ZERO), Duration.ZERO)
                    .claims();
        } catch (RequestFailed | InterruptedException e) {
            return List.of();
        }
    }

    private ClaimRequest request(String id, int limit, Duration wait) {
        return new ClaimRequest(
                modules,
                null,
                null,
                limit,
                wait.toMillis() + "ms",
                settings.lease().toMillis() + "ms",
                id,
                settings.name());
    }

    private void backOff() throws InterruptedException {
        if (!closing.get()) {
            TimeUnit.MILLISECONDS.sleep(BACKOFF_MILLIS);
        }
    }

    private void runJob(Job job) {
        try {
            ModuleStatusUpdate report = job.awaitConfirmation() ? JobRunner.run(job, handlers) : null;
            logs.finish(job);
            if (job.isLost()) {
                trouble.report("the claim of " + JobRunner.name(job) + " was lost; Weir grants it again");
            } else if (report != null
                    && !(handlersInterrupted && report.result().equals("failed"))) {
                report(job, report);
                reports.release();
            }
        } catch (RequestFailed e) {
            trouble.report("could not report " + JobRunner.name(job) + ": " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            heartbeats.remove(job);
            permits.release();
        }
    }

    /**
     * Reports a result. If the server refuses the report, for example because of a very long output, the job fails
     * permanently, because a retry would produce the same report.
     */
    private void report(Job job, ModuleStatusUpdate report) throws InterruptedException {
        try {
            client.report(report, REPORT_RETRY_TIMEOUT);
        } catch (RequestFailed.Refused e) {
            String error = "the server refused the report: " + e.getMessage();
            client.report(
                    ModuleStatusUpdate.failed(job.claim(), LogBuffer.sanitize(error), true), REPORT_RETRY_TIMEOUT);
        }
    }

    /**
     * Waits until this many more jobs were reported, whatever their results. Jobs that an earlier call waited for
     * do not count.
     */
    public void awaitReports(int jobs) throws InterruptedException {
        reports.acquire(jobs);
    }

    /**
     * Stops claiming and waits for the jobs under way. Jobs that take longer than the grace period are interrupted,
     * and their claims expire.
     */
    @Override
    public void close() {
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        poller.interrupt();
        try {
            poller.join();
            jobExecutor.shutdown();
            if (!jobExecutor.awaitTermination(settings.grace().toMillis(), TimeUnit.MILLISECONDS)) {
                interruptHandlers();
                jobExecutor.awaitTermination(1, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            interruptHandlers();
            Thread.currentThread().interrupt();
        } finally {
            heartbeats.close();
            logs.close();
        }
    }

    /** Interrupts the handlers. Failures from now on are not reported, because the close caused them, not the step. */
    private void interruptHandlers() {
        handlersInterrupted = true;
        jobExecutor.shutdownNow();
    }
}
