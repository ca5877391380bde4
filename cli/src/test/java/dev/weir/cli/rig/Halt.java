package dev.weir.cli.rig;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Lets a number of transactions commit, each on its own connection, and lets no answer through. */
final class Halt implements Trap {
    private final int expected;
    private final CountDownLatch committed;
    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicInteger unanswered = new AtomicInteger();

    Halt(int expected) {
        this.expected = expected;
        this.committed = new CountDownLatch(expected);
    }

    @Override
    public boolean springs(Wrote wrote) {
        return wrote != Wrote.NOTHING;
    }

    @Override
    public Place place() {
        return Place.ANSWERED;
    }

    @Override
    public void spring(boolean serverAnswered) {
        if (!serverAnswered) {
            unanswered.incrementAndGet();
        }
        committed.countDown();
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // nothing is left to do but to end the connection
        }
    }

    @Override
    public void over() {
        // Nobody waits for this.
    }

    /** Waits until all transactions are committed. */
    void await(long seconds) throws InterruptedException {
        if (!committed.await(seconds, TimeUnit.SECONDS) || unanswered.get() > 0) {
            throw new AssertionError("expected " + expected + " commits within " + seconds + " s, found "
                    + (expected - committed.getCount()) + ", of which the server has not confirmed " + unanswered);
        }
    }

    /** Lets the connections end. */
    void end() {
        end.countDown();
    }
}
