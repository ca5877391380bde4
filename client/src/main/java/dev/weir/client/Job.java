package dev.weir.client;

import dev.weir.api.Work.WorkClaim;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A step or item that a worker has claimed. The worker interrupts its handler when the claim is lost or the run is
 * to be cancelled.
 */
public final class Job {
    private final WorkClaim claim;
    private final long leaseNanos;
    /** The time at which the claim ends unless it is renewed, on this machine's monotonic clock. */
    private volatile long endsAt;

    private volatile long heartbeatAt;
    private volatile boolean cancelRequested;
    private volatile boolean lost;
    private volatile @Nullable Thread body;
    private boolean done;
    private final LogBuffer said = new LogBuffer();
    /** Closed until the worker knows how long the claim lasts, or that it is lost. */
    private final CountDownLatch known = new CountDownLatch(1);

    /**
     * Creates a job for a claim that was requested with this lease. The lease is counted from before the request,
     * because the response may have been under way for a long time. If that took longer than a third of the lease,
     * the claim is in doubt until a heartbeat renews it; then only the end of a whole lease after the response
     * proves that the claim has ended.
     */
    Job(WorkClaim claim, Duration lease, long askedAt, long givenAt) {
        this.claim = claim;
        this.leaseNanos = lease.toNanos();
        if (givenAt - askedAt <= leaseNanos / 3) {
            renewed(askedAt, lease.toMillis());
        } else {
            endsAt = givenAt + leaseNanos;
            heartbeatAt = givenAt;
        }
    }

    public WorkClaim claim() {
        return claim;
    }

    public JsonNode input() {
        return claim.input();
    }

    /**
     * Returns the fence, which grows with every claim of this step. Pass it to resources that must refuse writes of
     * an older claim.
     */
    public long fence() {
        return claim.fence();
    }

    /**
     * Returns the effect number. It is that of the previous claim while the outcome of the previous attempt is
     * unknown (its worker died, or it took too long). It is greater once an outcome was received or an operator
     * resumed the step. Together with run, step and item it identifies one effect.
     */
    public int effectNumber() {
        return claim.effectNumber();
    }

    /**
     * Adds a line to the log of this attempt. The line can be read about a second later, while the attempt runs.
     * The server keeps the last 64 KiB of each attempt's log.
     */
    public void log(String line) {
        said.add(line + "\n");
    }

    /** Adds a text to the log as it is, for example the output of a program. Lines may end anywhere in it. */
    public void logText(String text) {
        said.add(text);
    }

    LogBuffer said() {
        return said;
    }

    /** Returns true if someone asked to cancel the run, so that the handler should stop. */
    public boolean cancelRequested() {
        return cancelRequested;
    }

    /** Returns true if the claim has ended or could not be renewed in time. Another worker may have it now. */
    public boolean lost() {
        return lost;
    }

    void renewed(long askedAt, long remainingMillis) {
        endsAt = askedAt + remainingMillis * 1_000_000;
        heartbeatAt = askedAt + leaseNanos / 3;
        known.countDown();
    }

    /** Waits while the claim is in doubt. Returns true if the handler may begin. */
    boolean awaitClaim() throws InterruptedException {
        known.await();
        return !lost;
    }

    boolean inDoubt() {
        return known.getCount() > 0;
    }

    boolean wantsHeartbeat(long now) {
        return !lost && now - heartbeatAt >= 0;
    }

    /** Postpones the next heartbeat after one that got no answer. */
    void tryAgainAt(long at) {
        heartbeatAt = at;
    }

    /** Returns true if four fifths of the lease have passed without a renewal. */
    boolean overdue(long now) {
        long margin = leaseNanos / 5;
        return !lost && now - (endsAt - margin) >= 0;
    }

    /**
     * Marks the start of the handler on this thread. The thread is interrupted at once if the claim was lost or a
     * cancel was requested before.
     */
    synchronized void begin(Thread thread) {
        body = thread;
        if (lost || cancelRequested) {
            thread.interrupt();
        }
    }

    /** Marks the end of the handler. No interrupt reaches the thread after this. */
    synchronized void end() {
        done = true;
        body = null;
    }

    void lose() {
        lost = true;
        known.countDown();
        interrupt();
    }

    void requestCancel() {
        if (!cancelRequested) {
            cancelRequested = true;
            interrupt();
        }
    }

    private synchronized void interrupt() {
        Thread thread = body;
        if (thread != null && !done) {
            thread.interrupt();
        }
    }
}
