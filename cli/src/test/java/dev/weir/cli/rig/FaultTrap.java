package dev.weir.cli.rig;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;

/** Waits for a commit that carries grants or reports while enough claims are live, and then injects a fault. */
final class FaultTrap implements CommitTrap {
    /** The number of claims that must be live when the trap springs. */
    static final int LIVE_MIN = 20;

    private final Fault fault;
    private final IntSupplier live;
    private final FaultAction action;
    private final AtomicBoolean triggered = new AtomicBoolean();
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile int liveAtFault;
    private volatile boolean answered;
    private volatile String failure = "";

    /** The fault to inject while a commit is in flight, besides cutting the connection. */
    @FunctionalInterface
    interface FaultAction {
        void run() throws Exception;
    }

    /**
     * The situation in which the trap sprang.
     *
     * @param live the number of live claims, as the workers count them
     * @param answered true if the server had confirmed the commit
     */
    record InjectedFault(Fault fault, int live, boolean answered) {}

    FaultTrap(Fault fault, IntSupplier live, FaultAction action) {
        this.fault = fault;
        this.live = live;
        this.action = action;
    }

    @Override
    public CommitPoint commitPoint() {
        return fault.commitPoint;
    }

    @Override
    public boolean matches(TransactionWrites wrote) {
        int now = live.getAsInt();
        if (wrote != TransactionWrites.CLAIMS || now < LIVE_MIN || !triggered.compareAndSet(false, true)) {
            return false;
        }
        liveAtFault = now;
        return true;
    }

    @Override
    public void trigger(boolean serverAnswered) {
        answered = serverAnswered;
        try {
            action.run();
        } catch (Exception e) {
            failure = e.toString();
        }
    }

    @Override
    public void connectionClosed() {
        done.countDown();
    }

    InjectedFault await(long seconds) throws InterruptedException {
        if (!done.await(seconds, TimeUnit.SECONDS)) {
            throw new AssertionError("expected a commit with at least " + LIVE_MIN + " live claims for " + fault
                    + " within " + seconds + " s, found none; live now: " + live.getAsInt());
        }
        if (!failure.isEmpty()) {
            throw new AssertionError(fault + " could not be done: " + failure);
        }
        return new InjectedFault(fault, liveAtFault, answered);
    }
}
