package dev.weir.testkit.junit;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.Heartbeat;
import dev.weir.core.limit.Moment;
import dev.weir.core.state.Update;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs a test handler for one claim. The handler has its own thread so that it can pause in the middle of its work.
 * Only one of the handler and the test runs at a time, so the order of events is deterministic.
 */
final class HandlerThread {
    /** The longest time for which a handler may block the test, in seconds of real time. */
    private static final long HANDLER_TIMEOUT_SECONDS = 30;

    final Assignment assignment;
    /** The time of the next heartbeat for the claim. */
    long nextHeartbeatAt;

    @Nullable
    CompletableFuture<Heartbeat.Answer> heartbeat;

    private final LongSupplier clock;
    private final Semaphore handlerTurn = new Semaphore(0);
    private final Semaphore testTurn = new Semaphore(0);
    private final Thread thread;
    private long wakeAt = Moment.NEVER;
    private volatile @Nullable Update report;
    private volatile boolean stopped;

    HandlerThread(Assignment assignment, TestHandler handler, LongSupplier clock) {
        this.assignment = assignment;
        this.clock = clock;
        this.thread = Thread.ofVirtual().unstarted(() -> run(handler));
    }

    private void run(TestHandler handler) {
        Update result;
        try {
            result = update(handler.handle(new TestAttempt(assignment, this)));
        } catch (Exception | AssertionError e) {
            result = new Update.Failed(String.valueOf(e), false);
        }
        report = result;
        testTurn.release();
    }

    private static Update update(@Nullable Object returned) {
        return returned instanceof Update update ? update : new Update.Completed(json(returned));
    }

    /** Converts any value to JSON. */
    static JsonNode json(@Nullable Object value) {
        return JsonMapper.shared().valueToTree(value);
    }

    Instant now() {
        return Moment.toInstant(clock.getAsLong());
    }

    /** Pauses the handler for some virtual time. The handler calls this, on its own thread. */
    void sleep(Duration time) throws InterruptedException {
        if (stopped) {
            throw new InterruptedException("the claim is lost, or its run was cancelled");
        }
        wakeAt = Moment.plus(clock.getAsLong(), Moment.micros(time));
        testTurn.release();
        handlerTurn.acquireUninterruptibly();
        wakeAt = Moment.NEVER;
        if (stopped) {
            throw new InterruptedException("the claim is lost, or its run was cancelled");
        }
    }

    /** Starts the handler, and waits until it sleeps or has finished. */
    void begin() {
        thread.start();
        awaitHandler();
    }

    /** Wakes the sleeping handler, and waits until it sleeps again or has finished. */
    void resume() {
        handlerTurn.release();
        awaitHandler();
    }

    /** Interrupts the handler, because nobody waits for its result any more. Returns when the handler has finished. */
    void stop() {
        stopped = true;
        while (report == null) {
            resume();
        }
    }

    private void awaitHandler() {
        try {
            if (!testTurn.tryAcquire(HANDLER_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("expected the handler of "
                        + assignment.claim().unit() + " to sleep with work.sleep(…) or to return, found it busy for "
                        + HANDLER_TIMEOUT_SECONDS + " s of real time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while a handler was running", e);
        }
    }

    /** The time at which the handler wakes up, or {@code NEVER} if it does not sleep. */
    long wakeAt() {
        return wakeAt;
    }

    /** The handler's report; null while the handler is at work. */
    @Nullable
    Update report() {
        return report;
    }
}
