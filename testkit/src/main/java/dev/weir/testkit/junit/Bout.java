package dev.weir.testkit.junit;

import dev.weir.core.life.Assignment;
import dev.weir.core.life.Heartbeat;
import dev.weir.core.life.Update;
import dev.weir.core.limit.Moment;
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
 * A handler at work on one claim. It has a thread of its own so that it can stop in the middle, but it and the test take
 * turns: one of them runs at a time, so that everything happens in one order.
 */
final class Bout {
    /** How long a handler may keep the test waiting, in seconds of real time. */
    private static final long PATIENCE = 30;

    final Assignment assignment;
    /** When its claim is next to be renewed. */
    long nextBeat;

    @Nullable
    CompletableFuture<Heartbeat.Answer> beat;

    private final LongSupplier clock;
    private final Semaphore mine = new Semaphore(0);
    private final Semaphore theirs = new Semaphore(0);
    private final Thread thread;
    private long until = Moment.NEVER;
    private volatile @Nullable Update report;
    private volatile boolean stopped;

    Bout(Assignment assignment, Handler handler, LongSupplier clock) {
        this.assignment = assignment;
        this.clock = clock;
        this.thread = Thread.ofVirtual().unstarted(() -> run(handler));
    }

    private void run(Handler handler) {
        Update said;
        try {
            said = update(handler.handle(new Work(assignment, this)));
        } catch (Exception | AssertionError e) {
            said = new Update.Failed(String.valueOf(e), false);
        }
        report = said;
        theirs.release();
    }

    private static Update update(@Nullable Object returned) {
        return returned instanceof Update update ? update : new Update.Completed(json(returned));
    }

    /** Anything as JSON. */
    static JsonNode json(@Nullable Object value) {
        return JsonMapper.shared().valueToTree(value);
    }

    Instant now() {
        return Moment.toInstant(clock.getAsLong());
    }

    /** Called by the handler. */
    void sleep(Duration time) throws InterruptedException {
        if (stopped) {
            throw new InterruptedException("the claim is lost, or its run was cancelled");
        }
        until = Moment.plus(clock.getAsLong(), Moment.micros(time));
        theirs.release();
        mine.acquireUninterruptibly();
        until = Moment.NEVER;
        if (stopped) {
            throw new InterruptedException("the claim is lost, or its run was cancelled");
        }
    }

    /** Lets the handler begin, and waits until it sleeps or is done. */
    void begin() {
        thread.start();
        await();
    }

    /** Lets the handler go on where it sleeps, and waits until it sleeps again or is done. */
    void goOn() {
        mine.release();
        await();
    }

    /** Tells the handler that nobody waits for its result any more. */
    void stop() {
        stopped = true;
        while (report == null) {
            goOn();
        }
    }

    private void await() {
        try {
            if (!theirs.tryAcquire(PATIENCE, TimeUnit.SECONDS)) {
                throw new AssertionError("expected the handler of "
                        + assignment.claim().unit() + " to sleep by work.sleep(…) or to end, found it busy for "
                        + PATIENCE + " s of real time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while a handler was at work", e);
        }
    }

    /** When it wakes up; never, if it does not sleep. */
    long until() {
        return until;
    }

    /** What it has to report; absent while it is at work. */
    @Nullable
    Update report() {
        return report;
    }
}
