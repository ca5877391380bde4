package dev.weir.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Keeps the claims of a worker alive, and interrupts the handlers of claims that it cannot renew. */
final class LeaseKeeper<C> implements AutoCloseable {
    /** The most claims that one request renews. */
    private static final int BATCH_MAX = 500;
    /** The sleep between two checks of the leases. */
    private static final long CHECK_INTERVAL_MILLIS = 200;

    private static final long RETRY_DELAY_NANOS = 500_000_000;
    private static final String ACTIVITY = "sending heartbeats";

    private final WorkSource<C, ?> source;
    private final Troubles troubles;
    private final Set<Attempt<C>> attempts = ConcurrentHashMap.newKeySet();
    /**
     * The thread that watches the leases. It is separate from the sender, so that a request that hangs cannot hide that
     * a lease runs out.
     */
    private final Thread watcher;

    private final Thread sender;
    private volatile boolean closing;

    LeaseKeeper(WorkSource<C, ?> source, String name, Troubles troubles) {
        this.source = source;
        this.troubles = troubles;
        this.watcher = WorkerThreads.daemon(this::watch, name + " watches");
        this.sender = WorkerThreads.daemon(this::send, name + " heartbeats");
    }

    void start() {
        watcher.start();
        sender.start();
    }

    void add(Attempt<C> attempt) {
        attempts.add(attempt);
    }

    void remove(Attempt<C> attempt) {
        attempts.remove(attempt);
    }

    private void watch() {
        while (!closing) {
            long now = System.nanoTime();
            for (Attempt<C> attempt : attempts) {
                if (attempt.isRenewalOverdue(now)) {
                    attempt.markLost();
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
            } catch (InterruptedException e) {
                return;
            }
            if (!sleep()) {
                return;
            }
        }
    }

    private static boolean sleep() {
        try {
            TimeUnit.MILLISECONDS.sleep(CHECK_INTERVAL_MILLIS);
            return true;
        } catch (InterruptedException e) {
            return false; // only close interrupts this thread
        }
    }

    private void sendDue(long now) throws InterruptedException {
        List<Attempt<C>> due = new ArrayList<>();
        for (Attempt<C> attempt : attempts) {
            if (attempt.isHeartbeatDue(now) && due.size() < BATCH_MAX) {
                due.add(attempt);
            }
        }
        if (due.isEmpty()) {
            return;
        }
        List<WorkSource.Renewal> answers = List.of();
        try {
            answers = source.renew(due.stream().map(Attempt::claim).toList());
            troubles.recovered(ACTIVITY);
        } catch (RuntimeException e) {
            troubles.reportRetried(
                    ACTIVITY, System.Logger.Level.WARNING, ACTIVITY + " failed; the worker retries: " + describe(e));
        }
        for (int i = 0; i < due.size(); i++) {
            apply(due.get(i), i < answers.size() ? answers.get(i) : WorkSource.Renewal.UNKNOWN, now);
        }
    }

    private static String describe(RuntimeException failure) {
        return failure instanceof SourceFailure ? String.valueOf(failure.getMessage()) : failure.toString();
    }

    private static void apply(Attempt<?> attempt, WorkSource.Renewal answer, long requestedAt) {
        if (answer.state() == null) {
            attempt.postponeHeartbeat(System.nanoTime() + RETRY_DELAY_NANOS);
        } else if (answer.state()) {
            attempt.renew(requestedAt, answer.remainingMillis());
            if (answer.cancelRequested()) {
                attempt.requestCancel();
            }
        } else {
            attempt.markLost();
        }
    }

    @Override
    public void close() {
        closing = true;
        watcher.interrupt();
        sender.interrupt();
    }
}
