package dev.weir.cli.rig;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Lets a number of transactions commit, each on its own connection, and lets no answer through. */
final class BlockingTrap implements CommitTrap {
    private final int expected;
    private final CountDownLatch committed;
    private final CountDownLatch released = new CountDownLatch(1);
    private final AtomicInteger unanswered = new AtomicInteger();

    BlockingTrap(int expected) {
        this.expected = expected;
        this.committed = new CountDownLatch(expected);
    }

    @Override
    public boolean matches(TransactionWrites wrote) {
        return wrote != TransactionWrites.NOTHING;
    }

    @Override
    public CommitPoint commitPoint() {
        return CommitPoint.ANSWERED;
    }

    @Override
    public void trigger(boolean serverAnswered) {
        if (!serverAnswered) {
            unanswered.incrementAndGet();
        }
        committed.countDown();
        try {
            released.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // nothing is left to do but to end the connection
        }
    }

    @Override
    public void connectionClosed() {
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
    void release() {
        released.countDown();
    }
}
