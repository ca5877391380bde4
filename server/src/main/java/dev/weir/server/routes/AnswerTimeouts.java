package dev.weir.server.routes;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * Waits for answers of the engine, for a bounded time. One check, repeated about twice a second, ends every wait that is
 * overdue. A timed wait of each request's own would wake the scheduler's thread twice for each request, which costs more
 * than the wait itself. Safe for use by many threads.
 */
final class AnswerTimeouts {
    private final LongSupplier nanos;
    private final Set<Wait> waits = ConcurrentHashMap.newKeySet();

    /** A request that waits. Two of them are never equal. */
    private static final class Wait {
        private final CompletableFuture<?> answer;
        private final long until;

        Wait(CompletableFuture<?> answer, long until) {
            this.answer = answer;
            this.until = until;
        }
    }

    /** @param nanos the monotonic clock */
    AnswerTimeouts(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** Waits for an answer. An answer that fails, or that does not arrive in time, throws an exception. */
    <A> A await(CompletableFuture<A> answer, Duration timeout)
            throws ExecutionException, TimeoutException, InterruptedException {
        if (answer.isDone()) {
            return answer.get();
        }
        var wait = new Wait(answer, nanos.getAsLong() + timeout.toNanos());
        waits.add(wait);
        try {
            return answer.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof TimeoutException overdue) {
                throw overdue;
            }
            throw e;
        } finally {
            waits.remove(wait);
        }
    }

    /** The number of requests that wait. */
    int size() {
        return waits.size();
    }

    /** Ends the waits that are overdue. */
    void check() {
        long now = nanos.getAsLong();
        for (Wait wait : waits) {
            if (now - wait.until >= 0) {
                wait.answer.completeExceptionally(new TimeoutException("the engine did not respond in time"));
            }
        }
    }
}
