package dev.weir.cli.rig;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;

/** Waits for a commit that carries grants or reports while enough claims are live, and then injects a fault. */
final class Snare implements Trap {
    /** The number of claims that must be live when the trap springs. */
    static final int LIVE_MIN = 20;

    private final Fault fault;
    private final IntSupplier live;
    private final Harm harm;
    private final AtomicBoolean sprung = new AtomicBoolean();
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile int liveThen;
    private volatile boolean answered;
    private volatile String failure = "";

    /** The fault to inject while a commit is in flight, besides cutting the connection. */
    @FunctionalInterface
    interface Harm {
        void done() throws Exception;
    }

    /**
     * The situation in which the trap sprang.
     *
     * @param live the number of live claims, as the workers count them
     * @param answered true if the server had confirmed the commit
     */
    record Sprung(Fault fault, int live, boolean answered) {}

    Snare(Fault fault, IntSupplier live, Harm harm) {
        this.fault = fault;
        this.live = live;
        this.harm = harm;
    }

    @Override
    public Place place() {
        return fault.place;
    }

    @Override
    public boolean springs(Wrote wrote) {
        int now = live.getAsInt();
        if (wrote != Wrote.CLAIMS || now < LIVE_MIN || !sprung.compareAndSet(false, true)) {
            return false;
        }
        liveThen = now;
        return true;
    }

    @Override
    public void spring(boolean serverAnswered) {
        answered = serverAnswered;
        try {
            harm.done();
        } catch (Exception e) {
            failure = e.toString();
        }
    }

    @Override
    public void over() {
        done.countDown();
    }

    Sprung await(long seconds) throws InterruptedException {
        if (!done.await(seconds, TimeUnit.SECONDS)) {
            throw new AssertionError("expected a commit with at least " + LIVE_MIN + " live claims for " + fault
                    + " within " + seconds + " s, found none; live now: " + live.getAsInt());
        }
        if (!failure.isEmpty()) {
            throw new AssertionError(fault + " could not be done: " + failure);
        }
        return new Sprung(fault, liveThen, answered);
    }
}
