package dev.weir.engine.call;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.limit.Moment;
import dev.weir.core.plan.BuiltInModule;
import dev.weir.core.state.Claim;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import dev.weir.engine.Unavailable;
import dev.weir.engine.Weir;
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
    static final Duration DRAIN_MAX = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(CallWorker.class);
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final long NANOS_PER_MICRO = 1_000;

    private final Weir weir;
    private final SecretSource secrets;
    private final String worker;
    private final CallQueue rota;
    private final HttpCaller caller;
    private final CallMemory memory;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Set<Thread> bodies = ConcurrentHashMap.newKeySet();
    private volatile boolean closing;

    /**
     * Creates the worker of a node.
     *
     * @param node name of the node, from which the worker's name is made for people
     */
    public CallWorker(Weir weir, String node, CallSettings settings, SecretSource secrets) {
        this.weir = weir;
        this.secrets = secrets;
        this.worker = "calls of " + node;
        this.rota = new CallQueue(settings.places());
        this.caller = new HttpCaller(settings, Clock.systemUTC());
        this.memory = new CallMemory(settings.memoryBytes());
    }

    /**
     * Signals that an organisation has calls that its limits would let start now. It must be quick, because a shard's
     * loop calls it.
     */
    public void wanted(String org) {
        rota.wants(org);
        giveOut();
    }

    private void giveOut() {
        if (closing) {
            return;
        }
        for (CallQueue.Share share : rota.take()) {
            try {
                threads.execute(() -> ask(share));
            } catch (RejectedExecutionException e) {
                // The worker has closed in between.
                rota.answered(share, 0);
                return;
            }
        }
    }

    /** Claims as many calls of an organisation as it has places for, and makes them. */
    private void ask(CallQueue.Share share) {
        long askedAt = System.nanoTime();
        List<Assignment> given = List.of();
        try {
            given = claim(share, askedAt);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.warn("calls of organisation {} cannot be claimed; it is asked again when more happens", share.org(), e);
        } finally {
            rota.answered(share, given.size());
        }
        given.forEach(assignment -> threads.execute(() -> make(share.org(), assignment, askedAt)));
        giveOut();
    }

    /** Repeats one request id until there is an answer, for as long as a claim would last whose grant was not heard. */
    private List<Assignment> claim(CallQueue.Share share, long askedAt) throws InterruptedException {
        int most = Math.min(share.places(), ClaimWork.CLAIMS_MAX);
        var work = new ClaimWork(
                UUID.randomUUID().toString(),
                worker,
                List.of(new ClaimWork.Serves(BuiltInModule.CALL)),
                most,
                Moment.micros(LEASE));
        while (!closing && System.nanoTime() - askedAt < LEASE.toNanos()) {
            try {
                return weir.claim(share.org(), work, Duration.ZERO).join();
            } catch (CompletionException e) {
                if (!(e.getCause() instanceof Unavailable)) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(PAUSE.toMillis());
            } catch (CancellationException e) {
                return List.of();
            }
        }
        return List.of();
    }

    private void make(String org, Assignment assignment, long askedAt) {
        bodies.add(Thread.currentThread());
        // The memory is released after the report, because the response is in it until then.
        try (CallMemory.Use used = memory.use(org)) {
            var effort = new ClaimExecution(weir, org, assignment, askedAt);
            effort.make(() -> update(assignment, used, effort), () -> closing);
        } finally {
            bodies.remove(Thread.currentThread());
            rota.done(org);
            giveOut();
        }
    }

    private Update update(Assignment assignment, CallMemory.Use used, ClaimExecution effort) {
        InputSecrets input = InputSecrets.of(assignment.input(), used.org(), secrets);
        try {
            used.takeForRequest(input.weight() + HttpCaller.CONNECTION_BYTES);
        } catch (InterruptedIOException e) {
            effort.outcomeUnknown();
            return interrupted();
        }
        ResolvedInput request = input.reveal();
        Claim claim = assignment.claim();
        Duration most = Duration.ofNanos(NANOS_PER_MICRO * Math.max(0, claim.timeoutAt() - claim.grantedAt()));
        CallResult result = caller.call(used, request.input(), key(assignment), most);
        if (!(result instanceof CallResult.Answered)
                && !(result instanceof CallResult.Failed failed && failed.answered())) {
            effort.outcomeUnknown();
        }
        if (closing && result instanceof CallResult.Failed failed && !failed.permanent()) {
            // This node cut the call short, which is no failure of the call. It is repeated with the same key.
            return new Update.Rescheduled(0);
        }
        return switch (result) {
            case CallResult.Answered answered ->
                new Update.Completed(request.veil().over(answered.output()));
            case CallResult.PutOff putOff -> new Update.Rescheduled(Moment.micros(putOff.delay()));
            case CallResult.Failed failed ->
                new Update.Failed(
                        request.veil().over(failed.error()), failed.permanent(), wait(failed), failed.status());
        };
    }

    /**
     * The report of a call that was interrupted before it was sent, because this node closes, or its claim or run has
     * ended.
     */
    private Update interrupted() {
        return closing ? new Update.Rescheduled(0) : new Update.Failed("the call was interrupted", false);
    }

    private static long wait(CallResult.Failed failed) {
        Duration after = failed.retryAfter();
        return after == null ? Update.Failed.NOT_SAID : Moment.micros(after);
    }

    /**
     * The idempotency key with which the called server recognises a repeated call: {@code run/step/effect number}, with
     * the index before the effect number for an item.
     */
    static String key(Assignment assignment) {
        UnitId unit = assignment.claim().unit();
        String item = unit.item() == UnitId.NO_ITEM ? "" : "/" + unit.item();
        return unit.run() + "/" + unit.step() + item + "/" + assignment.effect();
    }

    /** Claims no more calls, gives calls in progress some time, and reschedules those that are not done by then. */
    @Override
    public void close() {
        closing = true;
        long giveUp = System.nanoTime() + DRAIN_MAX.toNanos();
        try {
            while (!bodies.isEmpty() && System.nanoTime() - giveUp < 0) {
                TimeUnit.MILLISECONDS.sleep(10);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        bodies.forEach(Thread::interrupt);
        threads.close();
        caller.close();
    }
}
