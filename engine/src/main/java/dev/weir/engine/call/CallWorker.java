package dev.weir.engine.call;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.limit.Moment;
import dev.weir.core.plan.BuiltInModule;
import dev.weir.core.state.Claim;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import dev.weir.engine.request.Unavailable;
import dev.weir.engine.request.WorkerPort;
import dev.weir.engine.secret.InputSecrets;
import dev.weir.engine.secret.ResolvedInput;
import dev.weir.engine.secret.SecretSource;
import dev.weir.engine.work.ClaimExecution;
import java.io.InterruptedIOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The worker of this node that makes the HTTP calls of all organisations. A call is a claim like any other, with a
 * lease and a fence. Organisations differ only in the order of their turns.
 */
public final class CallWorker implements AutoCloseable {
    /** The lease of a call. A call of a node that died waits this long before another node can make it. */
    static final Duration LEASE = Duration.ofSeconds(15);
    /** The time for which a close waits for calls in progress. */
    static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(CallWorker.class);
    private static final Duration CLAIM_BACKOFF = Duration.ofMillis(500);
    private static final long NANOS_PER_MICRO = 1_000;

    private final WorkerPort weir;
    private final SecretSource secrets;
    private final String worker;
    private final CallQueue queue;
    private final HttpCaller caller;
    private final CallMemory memory;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Set<Thread> callThreads = ConcurrentHashMap.newKeySet();
    private volatile boolean closing;

    /**
     * Creates the worker of a node.
     *
     * @param node name of the node, from which the worker's name is made for people
     */
    public CallWorker(WorkerPort weir, String node, CallSettings settings, SecretSource secrets) {
        this.weir = weir;
        this.secrets = secrets;
        this.worker = "calls of " + node;
        this.queue = new CallQueue(settings.maxConcurrentCalls());
        this.caller = new HttpCaller(settings, Clock.systemUTC());
        this.memory = new CallMemory(settings.memoryBytes());
    }

    /**
     * Signals that an organisation has calls that its limits would let start now. It must be quick, because a shard's
     * loop calls it.
     */
    public void signal(String org) {
        queue.enqueue(org);
        startClaims();
    }

    private void startClaims() {
        if (closing) {
            return;
        }
        for (CallQueue.ClaimShare share : queue.take()) {
            try {
                threads.execute(() -> claimAndExecute(share));
            } catch (RejectedExecutionException e) {
                // The worker has closed in between.
                queue.recordClaimed(share, 0);
                return;
            }
        }
    }

    /** Claims as many calls of an organisation as it has places for, and makes them. */
    private void claimAndExecute(CallQueue.ClaimShare share) {
        long askedAt = System.nanoTime();
        List<Assignment> assignments = List.of();
        try {
            assignments = claim(share, askedAt);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.warn("Cannot claim the calls of organisation {}; Weir retries at its next change", share.org(), e);
        } finally {
            queue.recordClaimed(share, assignments.size());
        }
        assignments.forEach(assignment -> threads.execute(() -> execute(share.org(), assignment, askedAt)));
        startClaims();
    }

    /** Repeats one request id until there is an answer, for as long as a claim would last whose grant was not heard. */
    private List<Assignment> claim(CallQueue.ClaimShare share, long askedAt) throws InterruptedException {
        int max = Math.min(share.slots(), ClaimWork.CLAIMS_MAX);
        var work = new ClaimWork(
                UUID.randomUUID().toString(),
                worker,
                List.of(new ClaimWork.ServedModule(BuiltInModule.CALL)),
                max,
                Moment.micros(LEASE));
        while (!closing && System.nanoTime() - askedAt < LEASE.toNanos()) {
            try {
                return weir.claim(share.org(), work, Duration.ZERO).join();
            } catch (CompletionException e) {
                if (!(e.getCause() instanceof Unavailable)) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(CLAIM_BACKOFF.toMillis());
            } catch (CancellationException e) {
                return List.of();
            }
        }
        return List.of();
    }

    private void execute(String org, Assignment assignment, long askedAt) {
        callThreads.add(Thread.currentThread());
        // The memory is released after the report, because the response is in it until then.
        try (CallMemory.MemoryAccount account = memory.openAccount(org)) {
            var execution = new ClaimExecution(weir, org, assignment, askedAt);
            execution.run(() -> update(assignment, account, execution), () -> closing);
        } finally {
            callThreads.remove(Thread.currentThread());
            queue.release(org);
            startClaims();
        }
    }

    private Update update(Assignment assignment, CallMemory.MemoryAccount account, ClaimExecution execution) {
        InputSecrets input = InputSecrets.of(assignment.input(), account.org(), secrets);
        try {
            account.takeForRequest(estimateMemory(input) + HttpCaller.CONNECTION_BYTES);
        } catch (InterruptedIOException e) {
            execution.markOutcomeUnknown();
            return interruptedReport();
        }
        ResolvedInput request = input.resolve();
        Claim claim = assignment.claim();
        Duration max = Duration.ofNanos(NANOS_PER_MICRO * Math.max(0, claim.timeoutAt() - claim.grantedAt()));
        CallResult result = caller.call(account, request.input(), idempotencyKey(assignment), max);
        if (!(result instanceof CallResult.Answered)
                && !(result instanceof CallResult.Failed failed && failed.answered())) {
            execution.markOutcomeUnknown();
        }
        if (closing && result instanceof CallResult.Failed failed && !failed.permanent()) {
            // This node cut the call short, which is no failure of the call. It is repeated with the same key.
            return new Update.Rescheduled(0);
        }
        return switch (result) {
            case CallResult.Answered answered ->
                new Update.Completed(request.redactor().redact(answered.output()));
            case CallResult.Deferred putOff -> new Update.Rescheduled(Moment.micros(putOff.delay()));
            case CallResult.Failed failed ->
                new Update.Failed(
                        request.redactor().redact(failed.error()),
                        failed.permanent(),
                        retryDelay(failed),
                        failed.status());
        };
    }

    /** The estimated memory of an input with its secrets. */
    private static long estimateMemory(InputSecrets input) {
        long late = input.rendered().secretTexts().stream()
                .flatMap(text -> text.parts().stream())
                .mapToLong(part -> part.text().length())
                .sum();
        return JsonMemoryEstimate.of(input.rendered().value()) + JsonMemoryEstimate.ofText(late + input.chars());
    }

    /**
     * The report of a call that was interrupted before it was sent, because this node closes, or its claim or run has
     * ended.
     */
    private Update interruptedReport() {
        return closing ? new Update.Rescheduled(0) : new Update.Failed("the call was interrupted", false);
    }

    private static long retryDelay(CallResult.Failed failed) {
        Duration after = failed.retryAfter();
        return after == null ? Update.Failed.NO_RETRY_AFTER : Moment.micros(after);
    }

    /**
     * The idempotency key with which the called server recognises a repeated call: {@code run/step/effect number}, with
     * the index before the effect number for an item.
     */
    static String idempotencyKey(Assignment assignment) {
        UnitId unit = assignment.claim().unit();
        String item = unit.item() == UnitId.NO_ITEM ? "" : "/" + unit.item();
        return unit.run() + "/" + unit.step() + item + "/" + assignment.effect();
    }

    /** Claims no more calls, gives calls in progress some time, and reschedules those that are not done by then. */
    @Override
    public void close() {
        closing = true;
        long deadline = System.nanoTime() + DRAIN_TIMEOUT.toNanos();
        try {
            while (!callThreads.isEmpty() && System.nanoTime() - deadline < 0) {
                TimeUnit.MILLISECONDS.sleep(10);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        callThreads.forEach(Thread::interrupt);
        threads.close();
        caller.close();
    }
}
