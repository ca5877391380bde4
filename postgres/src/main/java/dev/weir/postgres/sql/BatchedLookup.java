package dev.weir.postgres.sql;

import dev.weir.engine.request.Unavailable;
import java.time.Duration;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Answers the look-ups of many callers with one query at a time. Callers that arrive while a query runs share the next
 * one, so that a thousand new callers need a few queries and no connection of their own.
 */
public final class BatchedLookup<K, V> {
    /** The most keys that one query looks up. */
    static final int BATCH_MAX = 500;

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final String subject;
    private final Duration waitMax;
    private final Query<K, V> query;
    private final Map<K, CompletableFuture<Optional<V>>> pending = new LinkedHashMap<>();
    private boolean running;

    /** Finds the values of those keys that have one. */
    @FunctionalInterface
    public interface Query<K, V> {
        Map<K, V> find(Collection<K> keys);
    }

    /**
     * Creates a lookup on that query.
     *
     * @param subject the name of the things looked up, used in messages
     * @param waitMax the longest time a caller waits, for other callers' queries and its own
     */
    public BatchedLookup(String subject, Duration waitMax, Query<K, V> query) {
        this.subject = subject;
        this.waitMax = waitMax;
        this.query = query;
    }

    /**
     * Returns the value of a key. It is read after this call began.
     *
     * @throws Unavailable if the query failed, or did not end in time
     */
    public Optional<V> find(K key) {
        CompletableFuture<Optional<V>> answer = submit(key);
        try {
            return answer.get(waitMax.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new Unavailable(
                    "looking up " + subject + ": no response within " + waitMax.toSeconds() + " s", RETRY_AFTER);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Unavailable("looking up " + subject + ": interrupted", RETRY_AFTER);
        } catch (ExecutionException e) {
            throw failure(e.getCause() == null ? e : e.getCause());
        }
    }

    private Unavailable failure(Throwable cause) {
        Duration retryAfter = cause instanceof Unavailable unavailable ? unavailable.retryAfter() : RETRY_AFTER;
        var failure = new Unavailable("looking up " + subject + ": " + cause.getMessage(), retryAfter);
        failure.initCause(cause);
        return failure;
    }

    private synchronized CompletableFuture<Optional<V>> submit(K key) {
        CompletableFuture<Optional<V>> answer = pending.computeIfAbsent(key, ignored -> new CompletableFuture<>());
        if (!running) {
            running = true;
            Thread.ofVirtual().name("weir lookup of " + subject).start(this::run);
        }
        return answer;
    }

    private void run() {
        for (var batch = nextBatch(); !batch.isEmpty(); batch = nextBatch()) {
            try {
                Map<K, V> found = query.find(batch.keySet());
                batch.forEach((key, answer) -> answer.complete(Optional.ofNullable(found.get(key))));
            } catch (RuntimeException | Error e) {
                batch.values().forEach(answer -> answer.completeExceptionally(e));
            }
        }
    }

    private synchronized Map<K, CompletableFuture<Optional<V>>> nextBatch() {
        Map<K, CompletableFuture<Optional<V>>> batch = new LinkedHashMap<>();
        Iterator<Map.Entry<K, CompletableFuture<Optional<V>>>> iterator =
                pending.entrySet().iterator();
        while (iterator.hasNext() && batch.size() < BATCH_MAX) {
            var entry = iterator.next();
            batch.put(entry.getKey(), entry.getValue());
            iterator.remove();
        }
        running = !batch.isEmpty();
        return batch;
    }
}
