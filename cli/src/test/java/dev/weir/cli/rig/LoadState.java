package dev.weir.cli.rig;

import dev.weir.client.RequestFailed;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The state that all threads of the load share: how much work is under way, and whether to continue. */
final class LoadState {
    private static final int RETRY_DELAY_MILLIS = 100;

    /** The claims that workers have and have not reported. */
    final AtomicInteger liveClaims = new AtomicInteger();

    /** The reports that were answered. */
    final AtomicInteger reportCount = new AtomicInteger();

    /** The claims that nobody will report. */
    final AtomicInteger forgottenClaims = new AtomicInteger();

    private final Map<String, AtomicInteger> openSteps = new ConcurrentHashMap<>();
    private final CountDownLatch startsEnded = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);

    /** A request to Weir. */
    @FunctionalInterface
    interface LoadRequest<T> {
        T send() throws InterruptedException;
    }

    /** Returns the number of steps and items of a workflow that were started and are not completed. */
    AtomicInteger openSteps(String workflow) {
        return openSteps.computeIfAbsent(workflow, ignored -> new AtomicInteger());
    }

    int openStepCount() {
        return openSteps.values().stream().mapToInt(AtomicInteger::get).sum();
    }

    void endStarts() {
        startsEnded.countDown();
    }

    void end() {
        startsEnded.countDown();
        ended.countDown();
    }

    boolean acceptsStarts() {
        return startsEnded.getCount() > 0;
    }

    boolean isRunning() {
        return ended.getCount() > 0;
    }

    /** Waits for a time, or until the storm is over. */
    void sleep(long millis) throws InterruptedException {
        ended.await(millis, TimeUnit.MILLISECONDS);
    }

    /** Waits for a time, or until no more runs are to be started. */
    void sleepWhileStarting(long millis) throws InterruptedException {
        startsEnded.await(millis, TimeUnit.MILLISECONDS);
    }

    /** Repeats a request until there is an answer. */
    <T> T retryUntilAnswered(LoadRequest<T> request) throws InterruptedException {
        while (true) {
            try {
                return request.send();
            } catch (RequestFailed.Unreachable e) {
                if (!isRunning()) {
                    throw new InterruptedException("it is over, and nobody answers");
                }
                sleep(RETRY_DELAY_MILLIS);
            }
        }
    }
}
