package dev.weir.client;

import dev.weir.api.Work.WorkClaim;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A step or item that a worker has claimed. Its body is interrupted when the claim is lost or a cancel is asked for. */
public final class Job {
    private final WorkClaim claim;
    /** When the claim ends if nothing renews it, on this machine's monotonic clock. */
    private volatile long endsAt;

    private volatile long heartbeatAt;
    private volatile boolean cancelRequested;
    private volatile boolean lost;
    private volatile @Nullable Thread body;
    private boolean done;
    private final LogBuffer said = new LogBuffer();
    /** Open until it is known how long the claim lasts, or that it is lost. */
    private final CountDownLatch known = new CountDownLatch(1);

    /**
     * The claim lasts from before it was asked for: the answer may have been on its way for long. If that is longer than a
     * third of the lease, the claim is in doubt until a heartbeat has renewed it; then it has ended for sure only a lease
     * after it was given.
     */
    Job(WorkClaim claim, long askedAt, long givenAt) {
        this.claim = claim;
        if (givenAt - askedAt <= leaseNanos() / 3) {
            renewed(askedAt, claim.leaseMs());
        } else {
            endsAt = givenAt + leaseNanos();
            heartbeatAt = givenAt;
        }
    }

    private long leaseNanos() {
        return claim.leaseMs() * 1_000_000;
    }

    public WorkClaim claim() {
        return claim;
    }

    public JsonNode input() {
        return claim.input();
    }

    /** Grows with every claim of this step: for use at resources that must not be written by an older one. */
    public long fence() {
        return claim.fence();
    }

    /**
     * Says a line about this try. It can be read while the try runs, about a second later; the last 64 KiB of all that it
     * says are kept with it.
     */
    public void log(String line) {
        said.add(line + "\n");
    }

    /** Says a text as it is, such as a program writes it: lines may end anywhere in it. */
    public void logText(String text) {
        said.add(text);
    }

    LogBuffer said() {
        return said;
    }

    /** Whether somebody has asked for the run to be cancelled; the body had better stop. */
    public boolean cancelRequested() {
        return cancelRequested;
    }

    /** Whether the claim has ended, or could not be renewed in time: another worker may have it. */
    public boolean lost() {
        return lost;
    }

    void renewed(long askedAt, long remainingMillis) {
        endsAt = askedAt + remainingMillis * 1_000_000;
        heartbeatAt = askedAt + leaseNanos() / 3;
        known.countDown();
    }

    /** Waits while the claim is in doubt; tells whether its body may begin. */
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

    /** Puts the next heartbeat off, after one that got no answer. */
    void tryAgainAt(long at) {
        heartbeatAt = at;
    }

    /** Whether four fifths of the lease have passed without a renewal. */
    boolean overdue(long now) {
        long margin = leaseNanos() / 5;
        return !lost && now - (endsAt - margin) >= 0;
    }

    /** Begins the body's time: it is interrupted at once if that was asked for before. */
    synchronized void begin(Thread thread) {
        body = thread;
        if (lost || cancelRequested) {
            thread.interrupt();
        }
    }

    /** Ends the body's time: no interrupt reaches the thread after this. */
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
