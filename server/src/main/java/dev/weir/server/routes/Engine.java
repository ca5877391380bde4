package dev.weir.server.routes;

import dev.weir.core.life.Command;
import dev.weir.engine.Look;
import dev.weir.engine.Weir;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The engine as requests use it: each waits for its answer on its own virtual thread. */
record Engine(Weir weir) {
    /** How long an answer may take. */
    private static final Duration ANSWER_MAX = Duration.ofSeconds(30);

    <A> A send(String org, Command<A> command) throws ExecutionException, TimeoutException, InterruptedException {
        return await(weir.send(org, command), Duration.ZERO);
    }

    <T> T look(String org, Look<T> look) throws ExecutionException, TimeoutException, InterruptedException {
        return await(weir.look(org, look), Duration.ZERO);
    }

    /** Waits for an answer that may take so much longer than others. */
    <A> A await(CompletableFuture<A> answer, Duration longer)
            throws ExecutionException, TimeoutException, InterruptedException {
        return answer.get(ANSWER_MAX.plus(longer).toMillis(), TimeUnit.MILLISECONDS);
    }
}
