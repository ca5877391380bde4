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
    private static final long CHECK_INTERVAL_NANOS = 200_000_000;

    private static final Duration RETRY_TIMEOUT = Duration.ofMillis(500);
    private static final long RETRY_DELAY_NANOS = 500_000_000;

    private final Client client;
    private final TroubleListener trouble;
    private final Set<Job> jobs = ConcurrentHashMap.newKeySet();
    /**
     * The thread that watches the leases. It is separate from the sender, so that a request that hangs cannot hide
     * that a lease runs out.
     */
    private final Thread leaseWatcher;

    private final Thread sender;
    private volatile boolean closing;

    HeartbeatLoop(Client client, WorkerSettings settings) {
        this.client = client;
        this.trouble = new TroubleListener(settings.trouble());
        this.leaseWatcher = Worker.daemonThread(this::watchLeases, settings.name() + " watches");
        this.sender = Worker.daemonThread(this::send, settings.name() + " heartbeats");
    }

    void start() {
        leaseWatcher.start();
        sender.start();
    }

    void add(Job job) {
        jobs.add(job);
    }

    void remove(Job job) {
        jobs.remove(job);
    }

    private void watchLeases() {
        while (!closing) {
            long now = System.nanoTime();
            for (Job job : jobs) {
                if (job.isRenewalOverdue(now)) {
                    job.markLost();
                }
            }
            if (!sleep()) {
                return;
            }
        }
    }

    private void send() {
        while (!closing) {
            try {
                sendDue(System.nanoTime());
                trouble.recovered();
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                trouble.reportFailure("sending heartbeats", e);
            }
            if (!sleep()) {
                return;
            }
        }
    }

    private boolean sleep() {
        try {
            Thread.sleep(Duration.ofNanos(CHECK_INTERVAL_NANOS).toMillis());
            return true;
        } catch (InterruptedException e) {
            return false; // only close interrupts this thread
        }
    }

    private void sendDue(long now) throws InterruptedException {
        List<Job> due = new ArrayList<>();
        for (Job job : jobs) {
            if (job.isHeartbeatDue(now) && due.size() < Work.BATCH_MAX) {
                due.add(job);
            }
        }
        if (due.isEmpty()) {
            return;
        }
        var entries = due.stream().map(job -> Work.Heartbeat.of(job.claim())).toList();
        try {
            var results = client.heartbeat(new Work.HeartbeatRequest(entries), RETRY_TIMEOUT)
                    .results();
            for (int i = 0; i < Math.min(due.size(), results.size()); i++) {
                applyResult(due.get(i), results.get(i), now);
            }
        } catch (RequestFailed e) {
            due.forEach(job -> job.postponeHeartbeat(System.nanoTime() + RETRY_DELAY_NANOS));
        }
    }

    private static void applyResult(Job job, Work.HeartbeatResult result, long requestedAt) {
        if (result.outcome().equals(Work.REFUSED)) {
            job.postponeHeartbeat(System.nanoTime() + RETRY_DELAY_NANOS); // a refusal says nothing about the claim
            return;
        }
        Long remaining = result.remainingMs();
        if (!result.outcome().equals("extended") || remaining == null) {
            job.markLost();
            return;
        }
        job.renew(requestedAt, remaining);
        if (Boolean.TRUE.equals(result.cancelRequested())) {
            job.requestCancel();
        }
    }

    @Override
    public void close() {
        closing = true;
        leaseWatcher.interrupt();
        sender.interrupt();
    }
}
