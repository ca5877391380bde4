package dev.weir.worker;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * A claim that a worker holds, and the state of its lease. The worker interrupts the handler when the claim is lost or
 * the run is to be cancelled. Safe for use by many threads.
 *
 * @param <C> the type of the claim
 */
public final class Attempt<C> {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final C claim;
    private final long leaseNanos;
    /** The time at which the claim ends unless it is renewed, on this machine's monotonic clock. */
    private volatile long leaseEndsAt;

    private volatile long nextHeartbeatAt;
    private volatile boolean cancelRequested;
    private volatile boolean lost;
    private @Nullable Thread handlerThread;
    private boolean done;
    /** Closed until the worker knows how long the claim lasts, or that it is lost. */
    private final CountDownLatch claimConfirmed = new CountDownLatch(1);

    /**
     * Creates the attempt of a claim that was requested with this lease. The lease is counted from before the request,
     * because the response may have been under way for a long time. If that took longer than a third of the lease, the
     * claim is in doubt until a heartbeat renews it; then only the end of a whole lease after the response proves that
     * the claim has ended.
     */
    public Attempt(C claim, Duration lease, long requestedAt, long receivedAt) {
        this.claim = claim;
        this.leaseNanos = lease.toNanos();
        if (receivedAt - requestedAt <= leaseNanos / 3) {
            renew(requestedAt, lease.toMillis());
        } else {
            leaseEndsAt = receivedAt + leaseNanos;
            nextHeartbeatAt = receivedAt;
        }
    }

    public C claim() {
        return claim;
    }

    /** Returns true if someone asked to cancel the run, so that the handler should stop. */
    public boolean cancelRequested() {
        return cancelRequested;
    }

    /** Returns true if the claim has ended or could not be renewed in time. Another worker may have it now. */
    public boolean isLost() {
        return lost;
    }

    void renew(long requestedAt, long remainingMillis) {
        leaseEndsAt = requestedAt + remainingMillis * NANOS_PER_MILLI;
        nextHeartbeatAt = requestedAt + leaseNanos / 3;
        claimConfirmed.countDown();
    }

    /** Waits while the claim is in doubt. Returns true if the handler may begin. */
    boolean awaitConfirmation() throws InterruptedException {
        claimConfirmed.await();
        return !lost;
    }

    boolean isUnconfirmed() {
        return claimConfirmed.getCount() > 0;
    }

    boolean isHeartbeatDue(long now) {
        return !lost && now - nextHeartbeatAt >= 0;
    }

    /** Postpones the next heartbeat after one that got no answer. */
    void postponeHeartbeat(long at) {
        nextHeartbeatAt = at;
    }

    /** Returns true if four fifths of the lease have passed without a renewal. */
    boolean isRenewalOverdue(long now) {
        long margin = leaseNanos / 5;
        return !lost && now - (leaseEndsAt - margin) >= 0;
    }

    /**
     * Marks the start of the handler on this thread. The thread is interrupted at once if the claim was lost or a
     * cancel was requested before.
     */
    synchronized void begin(Thread thread) {
        handlerThread = thread;
        if (lost || cancelRequested) {
            thread.interrupt();
        }
    }

    /** Marks the end of the handler. No interrupt reaches the thread after this. */
    synchronized void end() {
        done = true;
        handlerThread = null;
    }

    void markLost() {
        lost = true;
        claimConfirmed.countDown();
        interrupt();
    }

    void requestCancel() {
        if (!cancelRequested) {
            cancelRequested = true;
            interrupt();
        }
    }

    private synchronized void interrupt() {
        Thread thread = handlerThread;
        if (thread != null && !done) {
            thread.interrupt();
        }
    }
}
