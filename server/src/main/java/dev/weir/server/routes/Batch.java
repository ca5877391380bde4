package dev.weir.server.routes;

import dev.weir.engine.CommandFailed;
import dev.weir.server.http.Entry;
import dev.weir.server.http.Refused;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;

/**
 * How the entries of a batch are carried out: each on its own, all at once. One that does not do, or cannot be done, is
 * answered as refused beside the others. Only what may be asked again, such as a journal that is away, fails them all.
 *
 * @param <T> what an entry says
 * @param <A> what the engine answers to it
 * @param <R> what its sender is told
 */
record Batch<T, A, R>(Sending<T, A> sending, BiFunction<T, A, R> told, BiFunction<Entry<T>, String, R> refused) {
    /** Hands an entry to the engine; throws {@link Refused} if it does not do. */
    interface Sending<T, A> {
        CompletableFuture<A> send(T entry, String at);
    }

    List<R> carryOut(Engine engine, List<Entry<T>> entries)
            throws ExecutionException, TimeoutException, InterruptedException {
        List<CompletableFuture<A>> answers = new ArrayList<>();
        entries.forEach(entry -> answers.add(sent(entry)));
        List<R> results = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            results.add(result(engine, entries.get(i), answers.get(i)));
        }
        return results;
    }

    private CompletableFuture<A> sent(Entry<T> entry) {
        try {
            return sending.send(entry.get(), entry.at());
        } catch (RuntimeException e) {
            // Others may have been sent before, and what became of those is told.
            return CompletableFuture.failedFuture(e);
        }
    }

    private R result(Engine engine, Entry<T> entry, CompletableFuture<A> answer)
            throws ExecutionException, TimeoutException, InterruptedException {
        try {
            return told.apply(entry.get(), engine.await(answer, Duration.ZERO));
        } catch (Refused e) {
            return refused.apply(entry, e.problem().detail());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof CommandFailed failed) {
                return refused.apply(entry, entry.at() + ": " + failed.getMessage());
            }
            Refused why = Refused.because(e);
            if (why.retryAfter() != null) {
                throw e;
            }
            return refused.apply(entry, why.problem().detail());
        }
    }
}
