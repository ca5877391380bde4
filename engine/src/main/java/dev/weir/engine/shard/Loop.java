package dev.weir.engine.shard;

import dev.weir.core.limit.Moment;
import dev.weir.engine.journal.JournalFailure;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread that repeats a task: it starts, waits, wakes, backs off after a failure, and stops. */
public final class Loop implements AutoCloseable {
    /** The first and the longest pause after a failure, in microseconds. */
    static final long PAUSE_MIN = 100_000;

    static final long PAUSE_MAX = 10_000_000;
    /** The time for which a stop waits for the iteration under way. */
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

    /** The task of a loop. */
    @FunctionalInterface
    public interface Turning {
        /**
         * Runs one iteration. Returns the time in microseconds after which the next one must run at the latest, even
         * without a wake-up.
         */
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

    /** Requests the next iteration now. */
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
            // each iteration runs in the condition
        }
    }

    private long turn() {
        try {
            long next = turning.runOnce();
            pause = PAUSE_MIN;
            return next;
        } catch (RuntimeException | Error e) {
            // Errors are caught too, because the loop must continue in any case.
            if (pause == PAUSE_MIN && e instanceof JournalFailure) {
                LOG.warn("Loop {} waits for the database and retries: {}", name, e.getMessage());
            } else if (pause == PAUSE_MIN) {
                LOG.error("Loop {} failed and retries; further failures in a row are not logged", name, e);
            }
            long wait = pause;
            pause = Math.min(PAUSE_MAX, pause * 2);
            return wait;
        }
    }

    /** Waits until the loop is woken or the time is over. Returns true if it must continue. */
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

    /** Lets the iteration under way end, and stops. */
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
