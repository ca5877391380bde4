package dev.weir.cli.rig;

import dev.weir.client.RequestFailed;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The state that all threads of the load share: how much work is under way, and whether to continue. */
final class Pulse {
    private static final int AGAIN_MILLIS = 100;

    /** The claims that workers have and have not reported. */
    final AtomicInteger live = new AtomicInteger();

    /** The reports that were answered. */
    final AtomicInteger reported = new AtomicInteger();

    /** The claims that nobody will report. */
    final AtomicInteger forgotten = new AtomicInteger();

    private final Map<String, AtomicInteger> open = new ConcurrentHashMap<>();
    private final CountDownLatch noMoreRuns = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);

    /** A request to Weir. */
    @FunctionalInterface
    interface Asking<T> {
        T ask() throws InterruptedException;
    }

    /** Returns the number of steps and items of a workflow that were started and are not completed. */
    AtomicInteger open(String workflow) {
        return open.computeIfAbsent(workflow, ignored -> new AtomicInteger());
    }

    int allOpen() {
        return open.values().stream().mapToInt(AtomicInteger::get).sum();
    }

    void endStarts() {
        noMoreRuns.countDown();
    }

    void end() {
        noMoreRuns.countDown();
        over.countDown();
    }

    boolean takesRuns() {
        return noMoreRuns.getCount() > 0;
    }

    boolean goesOn() {
        return over.getCount() > 0;
    }

    /** Waits for a time, or until the storm is over. */
    void rest(long millis) throws InterruptedException {
        over.await(millis, TimeUnit.MILLISECONDS);
    }

    /** Waits for a time, or until no more runs are to be started. */
    void restWhileTakingRuns(long millis) throws InterruptedException {
        noMoreRuns.await(millis, TimeUnit.MILLISECONDS);
    }

    /** Repeats a request until there is an answer. */
    <T> T untilAnswered(Asking<T> asking) throws InterruptedException {
        while (true) {
            try {
                return asking.ask();
            } catch (RequestFailed.Unreachable e) {
                if (!goesOn()) {
                    throw new InterruptedException("it is over, and nobody answers");
                }
                rest(AGAIN_MILLIS);
            }
        }
    }
}
