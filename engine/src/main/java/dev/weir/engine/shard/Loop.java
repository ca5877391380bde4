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
    static final long BACKOFF_MIN = 100_000;

    static final long BACKOFF_MAX = 10_000_000;
    /** The time for which a stop waits for the iteration under way. */
    private static final long STOP_TIMEOUT_SECONDS = 15;

    private static final Logger LOG = LoggerFactory.getLogger(Loop.class);

    private final String name;
    private final LoopTask task;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Thread thread;
    /** Volatile, because most wake-ups only see that an earlier one is still pending. */
    private volatile boolean woken;

    private boolean stopping;
    private long backoff = BACKOFF_MIN;

    /** The task of a loop. */
    @FunctionalInterface
    public interface LoopTask {
        /**
         * Runs one iteration. Returns the time in microseconds after which the next one must run at the latest, even
         * without a wake-up.
         */
        long runOnce();
    }

    public Loop(String name, LoopTask task) {
        this.name = name;
        this.task = task;
        this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    /** Requests the next iteration now. */
    public void wake() {
        if (woken) {
            return; // the iteration that this asks for has not begun
        }
        lock.lock();
        try {
            woken = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        while (await(runTask())) {
            // each iteration runs in the condition
        }
    }

    private long runTask() {
        try {
            long next = task.runOnce();
            backoff = BACKOFF_MIN;
            return next;
        } catch (RuntimeException | Error e) {
            // Errors are caught too, because the loop must continue in any case.
            if (backoff == BACKOFF_MIN && e instanceof JournalFailure) {
                LOG.warn("Loop {} waits for the database and retries: {}", name, e.getMessage());
            } else if (backoff == BACKOFF_MIN) {
                LOG.error("Loop {} failed and retries; further failures in a row are not logged", name, e);
            }
            long wait = backoff;
            backoff = Math.min(BACKOFF_MAX, backoff * 2);
            return wait;
        }
    }

    /** Waits until the loop is woken or the time is over. Returns true if it must continue. */
    private boolean await(long micros) {
        lock.lock();
        try {
            long remaining = micros == Moment.NEVER ? Long.MAX_VALUE : TimeUnit.MICROSECONDS.toNanos(micros);
            while (!woken && !stopping && remaining > 0) {
                remaining = changed.awaitNanos(remaining);
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
                thread.join(TimeUnit.SECONDS.toMillis(STOP_TIMEOUT_SECONDS));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
