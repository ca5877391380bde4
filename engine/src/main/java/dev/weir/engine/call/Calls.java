package dev.weir.engine.call;

import dev.weir.core.life.Assignment;
import dev.weir.core.life.BuiltIn;
import dev.weir.core.life.Claim;
import dev.weir.core.life.ClaimWork;
import dev.weir.core.life.UnitId;
import dev.weir.core.life.Update;
import dev.weir.core.limit.Moment;
import dev.weir.engine.Unavailable;
import dev.weir.engine.Weir;
import dev.weir.engine.work.Effort;
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
 * The worker of this node that makes the calls of all organisations. A call is a claim like any other, with lease and
 * fence. Organisations are told apart only by whose turn it is.
 */
public final class Calls implements AutoCloseable {
    /** How long the claim of a call lasts without a heartbeat: as long as a node that died holds it up. */
    static final Duration LEASE = Duration.ofSeconds(15);
    /** How long a close waits for calls under way. */
    static final Duration DRAIN_MAX = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(Calls.class);
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final long NANOS_PER_MICRO = 1_000;

    private final Weir weir;
    private final Secrets secrets;
    private final String worker;
    private final Rota rota;
    private final Caller caller;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Set<Thread> bodies = ConcurrentHashMap.newKeySet();
    private volatile boolean closing;

    /**
     * Makes calls for those who say that they want some.
     *
     * @param node names the worker, for people who look who runs a step
     */
    public Calls(Weir weir, String node, CallSettings settings, Secrets secrets) {
        this.weir = weir;
        this.secrets = secrets;
        this.worker = "calls of " + node;
        this.rota = new Rota(settings.places());
        this.caller = new Caller(settings, Clock.systemUTC());
    }

    /** An organisation has calls that its limits would let start now. Quick: a shard's loop says it. */
    public void wanted(String org) {
        rota.wants(org);
        giveOut();
    }

    private void giveOut() {
        if (closing) {
            return;
        }
        for (Rota.Share share : rota.take()) {
            try {
                threads.execute(() -> ask(share));
            } catch (RejectedExecutionException e) {
                // It has closed in between.
                rota.answered(share, 0);
                return;
            }
        }
    }

    /** Claims calls of an organisation, as many as it has places for, and makes them. */
    private void ask(Rota.Share share) {
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

    /** Asks with one request id until there is an answer, as long as a claim that was granted unheard would last. */
    private List<Assignment> claim(Rota.Share share, long askedAt) throws InterruptedException {
        int most = Math.min(share.places(), ClaimWork.CLAIMS_MAX);
        var work = new ClaimWork(
                UUID.randomUUID().toString(),
                worker,
                List.of(new ClaimWork.Serves(BuiltIn.CALL)),
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
        try {
            new Effort(weir, org, assignment, askedAt).make(() -> update(org, assignment), () -> closing);
        } finally {
            bodies.remove(Thread.currentThread());
            rota.done(org);
            giveOut();
        }
    }

    private Update update(String org, Assignment assignment) {
        Revealed request = Revealed.of(assignment.input(), org, secrets);
        Claim claim = assignment.claim();
        Duration most = Duration.ofNanos(NANOS_PER_MICRO * Math.max(0, claim.timeoutAt() - claim.grantedAt()));
        CallResult result = caller.call(org, request.input(), key(assignment), most);
        if (closing && result instanceof CallResult.Failed failed && !failed.permanent()) {
            // Cut short by this node, which is no failure of the call: it is made again, with the same key.
            return new Update.Rescheduled(0);
        }
        return switch (result) {
            case CallResult.Answered answered ->
                new Update.Completed(request.veil().over(answered.output()));
            case CallResult.PutOff putOff -> new Update.Rescheduled(Moment.micros(putOff.delay()));
            case CallResult.Failed failed ->
                new Update.Failed(request.veil().over(failed.error()), failed.permanent(), wait(failed));
        };
    }

    private static long wait(CallResult.Failed failed) {
        Duration after = failed.retryAfter();
        return after == null ? Update.Failed.NOT_SAID : Moment.micros(after);
    }

    /** What tells the called one a repeated call from a new one: {@code run/step/attempt}, of an item with its index. */
    static String key(Assignment assignment) {
        UnitId unit = assignment.claim().unit();
        String item = unit.item() == UnitId.NO_ITEM ? "" : "/" + unit.item();
        return unit.run() + "/" + unit.step() + item + "/" + assignment.attempt();
    }

    /** Asks for nothing more, gives what is under way some time, and puts off what is not done by then. */
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
