package dev.weir.client;

import dev.weir.api.Work;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps the claims of a worker alive, and interrupts the handlers of jobs whose claims it cannot renew. */
final class HeartbeatLoop implements AutoCloseable {
    /** The sleep between two checks of the jobs. */
    private static final long LOOK_NANOS = 200_000_000;

    private static final Duration PATIENCE = Duration.ofMillis(500);
    private static final long AGAIN_NANOS = 500_000_000;

    private final Client client;
    private final TroubleListener trouble;
    private final Set<Job> jobs = ConcurrentHashMap.newKeySet();
    /**
     * The thread that watches the leases. It is separate from the sender, so that a request that hangs cannot hide
     * that a lease runs out.
     */
    private final Thread watch;

    private final Thread sender;
    private volatile boolean closing;

    HeartbeatLoop(Client client, WorkerSettings settings) {
        this.client = client;
        this.trouble = new TroubleListener(settings.trouble());
        this.watch = Worker.daemon(this::watch, settings.name() + " watches");
        this.sender = Worker.daemon(this::send, settings.name() + " heartbeats");
    }

    void start() {
        watch.start();
        sender.start();
    }

    void add(Job job) {
        jobs.add(job);
    }

    void remove(Job job) {
        jobs.remove(job);
    }

    private void watch() {
        while (!closing) {
            long now = System.nanoTime();
            for (Job job : jobs) {
                if (job.overdue(now)) {
                    job.lose();
                }
            }
            if (!rest()) {
                return;
            }
        }
    }

    private void send() {
        while (!closing) {
            try {
                sendDue(System.nanoTime());
                trouble.over();
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                trouble.failed("sending heartbeats", e);
            }
            if (!rest()) {
                return;
            }
        }
    }

    private boolean rest() {
        try {
            Thread.sleep(Duration.ofNanos(LOOK_NANOS).toMillis());
            return true;
        } catch (InterruptedException e) {
            return false; // only close interrupts this thread
        }
    }

    private void sendDue(long now) throws InterruptedException {
        List<Job> due = new ArrayList<>();
        for (Job job : jobs) {
            if (job.wantsHeartbeat(now) && due.size() < Work.BATCH_MAX) {
                due.add(job);
            }
        }
        if (due.isEmpty()) {
            return;
        }
        var entries = due.stream().map(job -> Work.Heartbeat.of(job.claim())).toList();
        try {
            var results = client.heartbeat(new Work.HeartbeatRequest(entries), PATIENCE)
                    .results();
            for (int i = 0; i < Math.min(due.size(), results.size()); i++) {
                heed(due.get(i), results.get(i), now);
            }
        } catch (RequestFailed e) {
            due.forEach(job -> job.tryAgainAt(System.nanoTime() + AGAIN_NANOS));
        }
    }

    private static void heed(Job job, Work.HeartbeatResult result, long askedAt) {
        if (result.outcome().equals(Work.REFUSED)) {
            job.tryAgainAt(System.nanoTime() + AGAIN_NANOS); // a refusal says nothing about the claim
            return;
        }
        Long remaining = result.remainingMs();
        if (!result.outcome().equals("extended") || remaining == null) {
            job.lose();
            return;
        }
        job.renewed(askedAt, remaining);
        if (Boolean.TRUE.equals(result.cancelRequested())) {
            job.requestCancel();
        }
    }

    @Override
    public void close() {
        closing = true;
        watch.interrupt();
        sender.interrupt();
    }
}
