package dev.weir.server.routes;

import dev.weir.api.Problem;
import dev.weir.core.command.Command;
import dev.weir.core.definition.DurationText;
import dev.weir.core.limit.Moment;
import dev.weir.engine.Weir;
import dev.weir.engine.records.RunRecord;
import dev.weir.engine.request.StateQuery;
import dev.weir.server.http.RefusedRequest;
import dev.weir.server.http.Request;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Gives requests access to the engine. Each request waits for its answer on its own virtual thread. */
record EngineGateway(Weir weir, AnswerTimeouts answers) {
    /** The longest time that an answer may take. */
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);
    /** The longest time for which a pause or a temporary value may be set. */
    private static final Duration SETTING_DURATION_MAX = Duration.ofDays(366);

    EngineGateway(Weir weir) {
        this(weir, new AnswerTimeouts(System::nanoTime));
    }

    <A> A send(String org, Command<A> command) throws ExecutionException, TimeoutException, InterruptedException {
        return await(weir.send(org, command), Duration.ZERO);
    }

    /** Sends a command in the name of the caller. */
    <A> A send(Request request, Command<A> command) throws ExecutionException, TimeoutException, InterruptedException {
        return send(request, command, null);
    }

    /** Sends a command in the name of the caller, with the reason that the body gives. */
    <A> A send(Request request, Command<A> command, @Nullable String reason)
            throws ExecutionException, TimeoutException, InterruptedException {
        return await(weir.send(request.org(), command, request.attribution(reason)), Duration.ZERO);
    }

    <T> T query(String org, StateQuery<T> query) throws ExecutionException, TimeoutException, InterruptedException {
        return await(weir.query(org, query), Duration.ZERO);
    }

    /** Returns a run, live or ended. */
    RunRecord run(String org, String run) {
        return weir.records().findRun(org, run).orElseThrow(() -> runNotFound(run));
    }

    /**
     * Returns a run when it has ended, or as it is after a time. The caller waits on its own thread and is woken by the
     * commit that ends the run; nothing is polled.
     */
    RunRecord awaitEnd(String org, String run, Duration wait) throws InterruptedException, ExecutionException {
        long deadline = System.nanoTime() + wait.toNanos();
        while (true) {
            // Registered before the run is read, so that no end falls in between.
            CompletableFuture<Void> end = weir.onRunEnd(org, run);
            try {
                RunRecord found = run(org, run);
                long remaining = deadline - System.nanoTime();
                if (found.state().ended() || remaining <= 0) {
                    return found;
                }
                end.get(remaining, TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                return run(org, run);
            } finally {
                end.cancel(false);
            }
        }
    }

    /**
     * Returns the refusal for an unknown run. If the node removes old runs, the run may have existed once; the
     * message says so.
     */
    RefusedRequest runNotFound(String run) {
        String retentionHint = weir.records()
                .retention()
                .map(age -> "; this node keeps runs for " + DurationText.format(age) + " after they end")
                .orElse("");
        return RefusedRequest.of(Problem.Kind.NOT_FOUND, "run not found: " + run + retentionHint);
    }

    /** Returns the end of the time span that a request gives; never if it gives none. */
    long until(String org, @Nullable String forTime) throws ExecutionException, TimeoutException, InterruptedException {
        if (forTime == null) {
            return Moment.NEVER;
        }
        Duration length = Request.parseDuration("/for", forTime);
        if (length.isZero() || length.compareTo(SETTING_DURATION_MAX) > 0) {
            throw RefusedRequest.invalid("/for", "more than 0s and at most 366d", "'" + forTime + "'");
        }
        long now = query(org, (organisation, at) -> at);
        return Moment.plus(now, Moment.micros(length));
    }

    /** Waits for an answer that may take this much longer than others. */
    <A> A await(CompletableFuture<A> answer, Duration extraTime)
            throws ExecutionException, TimeoutException, InterruptedException {
        return answers.await(answer, ANSWER_TIMEOUT.plus(extraTime));
    }
}
