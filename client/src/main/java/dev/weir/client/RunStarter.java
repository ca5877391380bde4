package dev.weir.client;

import dev.weir.api.Problem;
import dev.weir.api.Starts;
import dev.weir.api.Starts.StartResult;
import dev.weir.api.Starts.StartResults;
import dev.weir.api.Starts.StartRunRequest;
import dev.weir.api.Starts.StartedRun;
import dev.weir.api.WireJson;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Starts many runs with few requests. Whatever is ready when a request returns goes into the next one, so a single start
 * is sent at once and many share a request. Each start still has its own answer. Safe for use by many threads.
 */
public final class RunStarter implements AutoCloseable {
    /** The most starts without an answer. A caller that starts more waits. */
    static final int PENDING_MAX = 10_000;
    /** The most bytes of one request. The server accepts bodies of 1 MiB. */
    private static final int BATCH_BYTES_MAX = 768 * 1024;

    private static final int SENDERS = 2;

    private final Client client;
    private final LinkedBlockingQueue<PendingStart> queue = new LinkedBlockingQueue<>();
    private final Semaphore places = new Semaphore(PENDING_MAX);
    private final List<Thread> senders = new ArrayList<>();

    /** A start that waits for its answer. */
    private record PendingStart(StartRunRequest run, String json, int bytes, CompletableFuture<StartedRun> answer) {}

    RunStarter(Client client) {
        this.client = client;
        for (int i = 0; i < SENDERS; i++) {
            var sender = new Thread(this::send, "weir starter " + i);
            sender.setDaemon(true);
            sender.start();
            senders.add(sender);
        }
    }

    /**
     * Starts a run.
     *
     * @param id the id of the run; null = the client generates one
     * @param input the input: a record, a map or another value that can be written as JSON; null = an empty object
     * @return the answer, after the start is committed; it fails with {@link RequestFailed}
     */
    public CompletableFuture<StartedRun> start(String workflow, @Nullable String id, @Nullable Object input)
            throws InterruptedException {
        return start(StartRunRequest.of(workflow, id, PayloadJson.toTree(input)));
    }

    /** Starts a run. Waits while too many starts have no answer yet. */
    public CompletableFuture<StartedRun> start(StartRunRequest run) throws InterruptedException {
        StartRunRequest withId = Client.withId(run);
        String json = WireJson.STRICT.writeValueAsString(withId);
        var start = new PendingStart(withId, json, Utf8Length.of(json), new CompletableFuture<>());
        places.acquire();
        queue.add(start);
        return start.answer;
    }

    private void send() {
        PendingStart next = null;
        try {
            while (true) {
                List<PendingStart> batch = new ArrayList<>();
                batch.add(next == null ? queue.take() : next);
                next = fill(batch);
                sendBatch(batch);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // only close interrupts this thread
        }
    }

    /** Adds the starts that are ready. Returns one that did not fit, if there is one. */
    private @Nullable PendingStart fill(List<PendingStart> batch) {
        int bytes = batch.get(0).bytes;
        while (batch.size() < Starts.BATCH_MAX) {
            PendingStart next = queue.poll();
            if (next == null) {
                return null;
            }
            bytes += next.bytes + 1;
            if (bytes > BATCH_BYTES_MAX) {
                return next;
            }
            batch.add(next);
        }
        return null;
    }

    private void sendBatch(List<PendingStart> batch) throws InterruptedException {
        var body = new StringJoiner(",", "{\"runs\":[", "]}");
        batch.forEach(start -> body.add(start.json));
        try {
            List<StartResult> results = client.sendText("/v1/runs/batch", body.toString(), StartResults.class)
                    .results();
            for (int i = 0; i < batch.size(); i++) {
                complete(batch.get(i), i < results.size() ? results.get(i) : null);
            }
        } catch (InterruptedException e) {
            fail(batch, new RequestFailed.Unreachable("the starter was interrupted", e));
            throw e;
        } catch (RuntimeException e) {
            fail(batch, e);
        } finally {
            places.release(batch.size());
        }
    }

    private static void fail(List<PendingStart> batch, RuntimeException failure) {
        batch.forEach(start -> start.answer.completeExceptionally(failure));
    }

    private static void complete(PendingStart start, @Nullable StartResult result) {
        String outcome = result == null ? "none" : result.outcome();
        if (result != null && (outcome.equals("created") || outcome.equals("existing"))) {
            String id = result.id() == null ? String.valueOf(start.run.id()) : result.id();
            String state = result.state() == null ? "" : result.state();
            start.answer.complete(new StartedRun(id, start.run.workflow(), state, null, outcome.equals("created")));
            return;
        }
        String detail = result == null || result.detail() == null ? "the server gave no outcome" : result.detail();
        start.answer.completeExceptionally(
                new RequestFailed.Refused(kind(outcome).of(detail)));
    }

    private static Problem.Kind kind(String outcome) {
        return switch (outcome) {
            case "conflict" -> Problem.Kind.CONFLICT;
            case "unknown_workflow" -> Problem.Kind.NOT_FOUND;
            case "refused" -> Problem.Kind.REFUSED;
            default -> Problem.Kind.INTERNAL;
        };
    }

    /** Waits until every start has its answer, and ends the starter. */
    @Override
    public void close() {
        places.acquireUninterruptibly(PENDING_MAX);
        senders.forEach(Thread::interrupt);
    }
}
