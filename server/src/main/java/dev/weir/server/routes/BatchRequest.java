package dev.weir.server.routes;

import dev.weir.engine.request.CommandFailed;
import dev.weir.server.http.BatchEntry;
import dev.weir.server.http.RefusedRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;

/**
 * Carries out the entries of a batch, each on its own and all at once. An entry that is invalid or fails gets the
 * outcome refused while the others are carried out. If it is the only entry, the request fails with its problem. A
 * failure that the caller should retry, such as an unavailable journal, fails the whole request.
 *
 * @param <T> the type of an entry
 * @param <A> the type of the engine's answer to it
 * @param <R> the type of the result that the caller gets
 */
record BatchRequest<T, A, R>(
        EntrySender<T, A> sender, BiFunction<T, A, R> toResult, BiFunction<BatchEntry<T>, String, R> toRefusal) {
    /** Hands an entry to the engine, or throws {@link RefusedRequest} if the entry is invalid. */
    interface EntrySender<T, A> {
        CompletableFuture<A> send(T entry, String at);
    }

    List<R> execute(EngineGateway engine, List<BatchEntry<T>> entries)
            throws ExecutionException, TimeoutException, InterruptedException {
        SentBatch sent = send(entries);
        return entries.size() == 1
                ? List.of(result(engine, entries.getFirst(), sent.answers.getFirst()))
                : sent.awaitEach(engine);
    }

    /** Hands all entries to the engine without waiting for its answers. */
    SentBatch send(List<BatchEntry<T>> entries) {
        List<CompletableFuture<A>> answers = new ArrayList<>(entries.size());
        entries.forEach(entry -> answers.add(trySend(entry)));
        return new SentBatch(entries, answers);
    }

    /** Entries that the engine has received. */
    final class SentBatch {
        private final List<BatchEntry<T>> entries;
        private final List<CompletableFuture<A>> answers;

        private SentBatch(List<BatchEntry<T>> entries, List<CompletableFuture<A>> answers) {
            this.entries = entries;
            this.answers = answers;
        }

        /** Waits for all answers. An entry that is refused gets that outcome, even if it is the only one. */
        List<R> awaitEach(EngineGateway engine) throws ExecutionException, TimeoutException, InterruptedException {
            List<R> results = new ArrayList<>(entries.size());
            for (int i = 0; i < entries.size(); i++) {
                results.add(resultOrRefusal(engine, entries.get(i), answers.get(i)));
            }
            return results;
        }
    }

    private CompletableFuture<A> trySend(BatchEntry<T> entry) {
        try {
            return sender.send(entry.get(), entry.at());
        } catch (RuntimeException e) {
            // Other entries may have been sent before, and the response must report their results.
            return CompletableFuture.failedFuture(e);
        }
    }

    private R result(EngineGateway engine, BatchEntry<T> entry, CompletableFuture<A> answer)
            throws ExecutionException, TimeoutException, InterruptedException {
        return toResult.apply(entry.get(), engine.await(answer, Duration.ZERO));
    }

    private R resultOrRefusal(EngineGateway engine, BatchEntry<T> entry, CompletableFuture<A> answer)
            throws ExecutionException, TimeoutException, InterruptedException {
        try {
            return result(engine, entry, answer);
        } catch (RefusedRequest e) {
            return toRefusal.apply(entry, e.problem().detail());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof CommandFailed failed) {
                return toRefusal.apply(entry, entry.at() + ": " + failed.getMessage());
            }
            RefusedRequest refusal = RefusedRequest.from(e);
            if (refusal.retryAfter() != null) {
                throw e;
            }
            return toRefusal.apply(entry, refusal.problem().detail());
        }
    }
}
