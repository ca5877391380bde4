package dev.weir.engine.shard;

import dev.weir.core.limit.Moment;
import dev.weir.engine.journal.JournalFailure;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The shell of everything that goes on by itself: starts, turns, waits, wakes, backs off after a failure, and stops. */
public final class Loop implements AutoCloseable {
    /** The pause after a failure, in microseconds: at first, and at the most. */
    static final long PAUSE_MIN = 100_000;

    static final long PAUSE_MAX = 10_000_000;
    /** How long a stop waits for the turn under way. */
    private static final long STOP_SECONDS = 15;

    private static final Logger LOG = LoggerFactory.getLogger(Loop.class);

    private final String name;
    private final Turning turning;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Thread thread;
    private boolean woken;
    private boolean stopping;
    private long pause = PAUSE_MIN;

    /** What is done again and again. */
    @FunctionalInterface
    public interface Turning {
        /** One turn. Says after how many microseconds the next is wanted at the latest, even if nobody wakes it. */
        long runOnce();
    }

    public Loop(String name, Turning turning) {
        this.name = name;
        this.turning = turning;
        this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    /** Something has come up: the next turn is wanted now. */
    public void wake() {
        lock.lock();
        try {
            woken = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        while (await(turn())) {
            // every turn is in the condition
        }
    }

    private long turn() {
        try {
            long next = turning.runOnce();
            pause = PAUSE_MIN;
            return next;
        } catch (RuntimeException | Error e) {
            // An error too: whatever it was, what goes on by itself must go on.
            if (pause == PAUSE_MIN && e instanceof JournalFailure) {
                LOG.warn("{} waits for the store, and tries again: {}", name, e.getMessage());
            } else if (pause == PAUSE_MIN) {
                LOG.error("{} failed, and is tried again; further failures in a row are not told", name, e);
            }
            long wait = pause;
            pause = Math.min(PAUSE_MAX, pause * 2);
            return wait;
        }
    }

    /** Waits until it is woken or that time is over; tells whether to go on. */
    private boolean await(long micros) {
        lock.lock();
        try {
            long left = micros == Moment.NEVER ? Long.MAX_VALUE : TimeUnit.MICROSECONDS.toNanos(micros);
            while (!woken && !stopping && left > 0) {
                left = changed.awaitNanos(left);
            }
            woken = false;
            return !stopping;
        } catch (InterruptedException e) {
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Lets the turn under way end, and makes no more. */
    @Override
    public void close() {
        lock.lock();
        try {
            stopping = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
        if (thread.isAlive() && !Thread.currentThread().equals(thread)) {
            try {
                thread.join(TimeUnit.SECONDS.toMillis(STOP_SECONDS));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
