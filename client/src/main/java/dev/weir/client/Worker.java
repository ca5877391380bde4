package dev.weir.client;

import dev.weir.api.Work;
import dev.weir.api.Work.ClaimRequest;
import dev.weir.api.Work.ModuleInfo;
import dev.weir.api.Work.ModuleStatusUpdate;
import dev.weir.api.Work.UpdateRequest;
import dev.weir.api.Work.UpdateResult;
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
 * Asks for work of its modules, does so many jobs at once, keeps their claims alive, and reports how they went. It goes
 * on through restarts of the server. Closed, it takes nothing more in and finishes what it has.
 */
public final class Worker implements AutoCloseable {
    private static final Duration REPORT_PATIENCE = Duration.ofMinutes(5);
    private static final long PAUSE_MILLIS = 500;

    private final Client client;
    private final Map<String, Handler> handlers;
    private final List<ModuleInfo> modules;
    private final WorkerSettings settings;
    private final Semaphore places;
    private final Trouble trouble;
    private final Heartbeats heartbeats;
    private final LogSender logs;
    private final ExecutorService bodies;
    private final Thread poller;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final Semaphore reports = new Semaphore(0);
    /** Whether bodies were interrupted because a close could wait no longer. */
    private volatile boolean abandoned;

    private Worker(Client client, List<ModuleInfo> modules, Map<String, Handler> handlers, WorkerSettings settings) {
        this.client = client;
        this.modules = List.copyOf(modules);
        this.handlers = Map.copyOf(handlers);
        this.settings = settings;
        this.places = new Semaphore(settings.concurrency());
        this.trouble = new Trouble(settings.trouble());
        this.heartbeats = new Heartbeats(client, settings);
        this.logs = new LogSender(client, settings);
        var numbers = new AtomicInteger();
        this.bodies = Executors.newCachedThreadPool(
                body -> daemon(body, settings.name() + " job " + numbers.incrementAndGet()));
        this.poller = daemon(this::poll, settings.name() + " polls");
    }

    /** Starts a worker for these modules. */
    public static Worker start(Client client, Map<String, Handler> handlers, WorkerSettings settings) {
        var modules = handlers.keySet().stream().map(ModuleInfo::of).toList();
        return start(client, modules, handlers, settings);
    }

    /** Starts a worker whose modules say what their steps ask of their runs. */
    public static Worker start(
            Client client, List<ModuleInfo> modules, Map<String, Handler> handlers, WorkerSettings settings) {
        var worker = new Worker(client, modules, handlers, settings);
        worker.heartbeats.start();
        worker.logs.start();
        worker.poller.start();
        return worker;
    }

    static Thread daemon(Runnable body, String name) {
        var thread = new Thread(body, name);
        thread.setDaemon(true);
        return thread;
    }

    private void poll() {
        while (!closing.get()) {
            try {
                places.acquire();
                int free = 1 + places.drainPermits();
                take(free);
            } catch (InterruptedException e) {
                return; // only a close interrupts it
            }
        }
    }

    /** Asks for as many jobs as there are places, and gives back the places that got none. */
    private void take(int free) throws InterruptedException {
        String request = UUID.randomUUID().toString();
        long askedAt = System.nanoTime();
        List<WorkClaim> claims = List.of();
        try {
            claims = List.copyOf(client.claim(request(request, free, settings.asking()), settings.asking())
                    .claims());
            trouble.over();
        } catch (RequestFailed.Unreachable e) {
            pause();
        } catch (RequestFailed.Refused e) {
            trouble.tell("asking for work was refused: " + e.getMessage());
            pause();
        } catch (InterruptedException e) {
            // What was granted while this one was told to stop is not left to expire: the same id gives it again.
            claims = leftOver(request, free);
            begin(claims, askedAt, free);
            throw e;
        } catch (RuntimeException e) {
            trouble.failed("asking for work", e);
            pause();
        }
        begin(claims, askedAt, free);
    }

    private void begin(List<WorkClaim> claims, long askedAt, int free) {
        long givenAt = System.nanoTime();
        for (WorkClaim claim : claims) {
            var job = new Job(claim, askedAt, givenAt);
            heartbeats.add(job);
            logs.add(job);
            bodies.execute(() -> work(job));
        }
        places.release(free - claims.size());
    }

    private List<WorkClaim> leftOver(String request, int free) {
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

    private void pause() throws InterruptedException {
        if (!closing.get()) {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
    }

    private void work(Job job) {
        try {
            ModuleStatusUpdate report = job.awaitClaim() ? Reports.of(job, handlers) : null;
            logs.finish(job);
            if (job.lost()) {
                trouble.tell("the claim of " + Reports.name(job) + " was lost: it is given out again");
            } else if (report != null && !(abandoned && report.result().equals("failed"))) {
                report(job, report);
                reports.release();
            }
        } catch (RequestFailed e) {
            trouble.tell("the report of " + Reports.name(job) + " did not get through: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            heartbeats.remove(job);
            places.release();
        }
    }

    /** A report that the server does not take, such as a very long output, has failed for good: no other try is better. */
    private void report(Job job, ModuleStatusUpdate report) throws InterruptedException {
        String refusal;
        try {
            UpdateResult told = client.update(new UpdateRequest(List.of(report)), REPORT_PATIENCE)
                    .results()
                    .get(0);
            refusal = told.result().equals(Work.REFUSED) ? String.valueOf(told.detail()) : null;
        } catch (RequestFailed.Refused e) {
            refusal = e.getMessage();
        }
        if (refusal != null) {
            String error = "its report was refused: " + refusal;
            var failed = ModuleStatusUpdate.failed(job.claim(), LogBuffer.kept(error), true);
            client.update(new UpdateRequest(List.of(failed)), REPORT_PATIENCE);
        }
    }

    /** Waits until so many jobs were reported, whatever they came to, beyond those that were waited for before. */
    public void awaitReports(int jobs) throws InterruptedException {
        reports.acquire(jobs);
    }

    /** Takes nothing more in, and waits for what is under way; what takes too long is interrupted and left to expire. */
    @Override
    public void close() {
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        poller.interrupt();
        try {
            poller.join();
            bodies.shutdown();
            if (!bodies.awaitTermination(settings.grace().toMillis(), TimeUnit.MILLISECONDS)) {
                abandon();
                bodies.awaitTermination(1, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            abandon();
            Thread.currentThread().interrupt();
        } finally {
            heartbeats.close();
            logs.close();
        }
    }

    /** What fails now was cut short, which is no failure of the step: it is not reported. */
    private void abandon() {
        abandoned = true;
        bodies.shutdownNow();
    }
}
