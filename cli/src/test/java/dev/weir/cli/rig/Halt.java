package dev.weir.cli.rig;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Lets so many transactions that have written something be committed, each on its own connection, and no answer through. */
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
            Thread.currentThread().interrupt(); // the connection ends, which is all that is left to do
        }
    }

    @Override
    public void over() {
        // Nobody waits for that.
    }

    /** Waits until all of them are committed. */
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
