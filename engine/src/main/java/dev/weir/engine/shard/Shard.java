package dev.weir.engine.shard;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.Command;
import dev.weir.core.limit.Moment;
import dev.weir.core.run.Organisation;
import dev.weir.core.state.Attribution;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.journal.ShardOwnership;
import dev.weir.engine.request.CommandFailed;
import dev.weir.engine.request.DeadLetterOutcome;
import dev.weir.engine.request.DeadLetterRequest;
import dev.weir.engine.request.EventReceipt;
import dev.weir.engine.request.EventRequest;
import dev.weir.engine.request.RetryOutcome;
import dev.weir.engine.request.StartOutcome;
import dev.weir.engine.request.StartRequest;
import dev.weir.engine.request.StateQuery;
import dev.weir.engine.request.TriggeredStart;
import dev.weir.engine.request.Unavailable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One shard that this node owns until another node takes it over. Any thread may send messages; one thread, or a test
 * that steps the shard by hand, runs the passes.
 */
public final class Shard {
    /** The gap after the last message that ends a burst, and the longest time that the loop waits for a burst. */
    private static final long BURST_GAP_NANOS = 15_000;

    private static final long BURST_MAX_NANOS = 150_000;
    /** The interval at which the loop checks if it can wait for more messages. */
    private static final long GATHER_INTERVAL_MICROS = 100;
    /** The time in microseconds for which the shard retries a message before it reports an unknown outcome. */
    public static final long REQUEST_TIMEOUT = 10_000_000;
    /** The retry time in microseconds while the store has been unreachable for longer than {@link #OUTAGE_THRESHOLD}. */
    static final long OUTAGE_REQUEST_TIMEOUT = 1_000_000;
    /** The time in microseconds that the store may be unreachable before callers get an early answer. */
    static final long OUTAGE_THRESHOLD = 5_000_000;
    /** The longest time in microseconds between two iterations while an organisation is in memory. */
    static final long ITERATION_INTERVAL_MAX = 1_000_000;
    /** The first and the longest pause after a failure, in microseconds. */
    static final long BACKOFF_MIN = 50_000;

    static final long BACKOFF_MAX = 2_000_000;
    private static final long NONE = Long.MIN_VALUE;

    private final ShardContext context;
    private final int number;
    private final Mailbox mailbox;
    private final ConcurrentLinkedQueue<ClaimMessage> cancelledPolls = new ConcurrentLinkedQueue<>();
    private final ShardState state;
    private final CommitPass commitPass;
    private final Sweep sweep;
    private final ShardHealth health;
    private volatile Runnable wake = () -> {};
    private volatile boolean inboxPending;
    private volatile @Nullable String closeReason;
    private volatile long closedAt;
    private volatile boolean failed;
    private volatile boolean iterating;
    private long retryAt = NONE;
    private long backoff = BACKOFF_MIN;
    /** The time of the first store failure since the last success, by the monotonic clock. */
    private long lostAt = NONE;
    /** The description of the store failure that waiting callers receive. */
    private String lostMessage = "";

    public Shard(ShardContext context, int number) {
        this(context, number, Mailbox.BATCH_MAX);
    }

    /** Creates a shard that decides at most {@code batchMax} messages at once. */
    public Shard(ShardContext context, int number, int batchMax) {
        this.context = context;
        this.number = number;
        this.mailbox = new Mailbox(batchMax);
        this.state = new ShardState(context, number, new OrganisationLoads(context, mailbox, () -> wake.run()));
        this.commitPass = new CommitPass(context, mailbox, state);
        this.sweep = new Sweep(context, state);
        this.health = new ShardHealth(number);
    }

    /** Returns a new instance of this shard, to replace this one after an error closed it. */
    public Shard createReplacement() {
        var replacement = new Shard(context, number);
        replacement.health.continueFrom(health);
        return replacement;
    }

    public int number() {
        return number;
    }

    /** Sets the action to call when there is work. */
    public void onWork(Runnable action) {
        wake = action;
    }

    /** Sends a command of the Java program that contains the node. */
    public <A> CompletableFuture<A> send(String org, Command<A> command) {
        return send(org, command, Attribution.PROGRAM);
    }

    public <A> CompletableFuture<A> send(String org, Command<A> command, Attribution by) {
        var message = new CommandMessage<>(org, command, by, context.monotonicNow());
        String refusal = message.refusal();
        return refusal == null ? post(message) : CompletableFuture.failedFuture(new CommandFailed(refusal));
    }

    public CompletableFuture<StartOutcome> start(String org, StartRequest request) {
        return start(org, request, Attribution.PROGRAM);
    }

    public CompletableFuture<StartOutcome> start(String org, StartRequest request, Attribution by) {
        return post(new StartMessage(org, request, by, context.monotonicNow()));
    }

    /** Starts a run of Weir's own workflow for calls without a definition. */
    public CompletableFuture<StartOutcome> trigger(String org, TriggeredStart request, Attribution by) {
        return post(StartMessage.triggered(org, request, by, context.monotonicNow()));
    }

    /** Receives an event for the triggers of the organisation. */
    public CompletableFuture<EventReceipt> receive(String org, EventRequest request, Attribution by) {
        return post(new EventMessage(org, request, by, context.monotonicNow()));
    }

    /** Retries an ended run as a new run with the id {@code newRun}. */
    public CompletableFuture<RetryOutcome> retry(String org, String run, String newRun, Attribution by) {
        return post(new RetryMessage(org, run, newRun, by, context.monotonicNow()));
    }

    public CompletableFuture<DeadLetterOutcome> close(String org, DeadLetterRequest request, Attribution by) {
        return post(new DeadLetterMessage(org, request, by, context.monotonicNow()));
    }

    /** Requests work and waits for it for at most {@code wait} microseconds. */
    public CompletableFuture<List<Assignment>> claim(String org, ClaimWork work, long wait) {
        var message = new ClaimMessage(org, work, context.monotonicNow(), wait);
        CompletableFuture<List<Assignment>> answer = post(message);
        CompletableFuture<List<Assignment>> unused = answer.whenComplete((claims, failure) -> {
            if (answer.isCancelled()) {
                cancelledPolls.add(message);
                wake.run();
            }
        });
        return answer;
    }

    public <T> CompletableFuture<T> query(String org, StateQuery<T> look) {
        return post(new StateQueryMessage<>(org, look, context.monotonicNow()));
    }

    /** Signals that programs have left starts in the inbox of this shard. */
    public void notifyInbox() {
        inboxPending = true;
        wake.run();
    }

    private <A> CompletableFuture<A> post(Message<A> message) {
        String reason = closeReason;
        if (reason != null) {
            message.failUnavailable(reason, Duration.ofSeconds(1));
        } else if (!mailbox.offer(message)) {
            message.failOverloaded(number);
        } else if (closeReason != null) {
            // The shard closed in between, and may have emptied the mailbox before this message was in it.
            message.failUnavailable(String.valueOf(closeReason), Duration.ofSeconds(1));
        }
        wake.run();
        return message.future;
    }

    /** True if the shard accepts no more messages. */
    public boolean isClosed() {
        return closeReason != null;
    }

    /** True if an error closed the shard. No other node owns it then, so this node must open it again. */
    public boolean hasFailed() {
        return failed;
    }

    /** The time at which the shard closed, by the monotonic clock. */
    public long closedAt() {
        return closedAt;
    }

    /**
     * A description of the failure that has stopped the shard for over 5 s, if there is one. Any thread may call this.
     */
    public Optional<String> outage() {
        return health.describe(context.monotonicNow());
    }

    /** True if no message waits for a decision. */
    public boolean isIdle() {
        return mailbox.isEmpty() && !iterating && !commitPass.isWriting();
    }

    /** True if no message waits for a decision and nothing is due. */
    public boolean isSettled() {
        return mailbox.isEmpty()
                && !commitPass.isWriting()
                && !inboxPending
                && state.ownership() != null
                && state.untilDue(context.monotonicNow()) > 0;
    }

    /** The time in microseconds until something is due, for code that steps the shard by hand. */
    public long untilDue() {
        return state.untilDue(context.monotonicNow());
    }

    /** The organisation in memory, for code that steps the shard by hand. Nothing else may touch it. */
    public Optional<Organisation> find(String org) {
        return Optional.ofNullable(state.find(org)).map(loadedOrg -> loadedOrg.organisation);
    }

    /**
     * Waits for more messages while a batch is being written, as long as the next batch can still be decided in time.
     */
    private void gatherMore() {
        try {
            while (mailbox.size() < Mailbox.BATCH_MAX && commitPass.canGatherMore(mailbox.size())) {
                TimeUnit.MICROSECONDS.sleep(GATHER_INTERVAL_MICROS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Waits while more messages of a burst arrive, so that one commit covers them all. Bursts are common: a worker that
     * was granted ten steps reports ten.
     */
    public void awaitBurst() {
        gatherMore();
        long begun = System.nanoTime();
        int size = mailbox.size();
        int before = 0;
        while (size > before && size < Mailbox.DECIDE_AHEAD_MIN && System.nanoTime() - begun < BURST_MAX_NANOS) {
            before = size;
            long look = System.nanoTime() + BURST_GAP_NANOS;
            while (System.nanoTime() < look) {
                Thread.onSpinWait();
            }
            size = mailbox.size();
        }
    }

    /** Runs one iteration. Returns the time in microseconds after which the next one must run at the latest. */
    public long runOnce() {
        long monotonicNow = context.monotonicNow();
        if (closeReason != null) {
            return Moment.NEVER;
        }
        iterating = true;
        try {
            if (state.ownership() == null && !open(monotonicNow)) {
                return Math.max(0, retryAt - monotonicNow);
            }
            long before = commitPass.commits();
            iterate(monotonicNow);
            if (commitPass.takesAllOrganisations()) {
                state.recordProcessed();
            }
            health.recordSuccess(commitPass.commits() > before, context.monotonicNow());
            lostAt = NONE;
            backoff = BACKOFF_MIN;
        } catch (JournalFailure.Fenced e) {
            context.counters().recordFailure(CounterName.FENCED, String.valueOf(e.getMessage()));
            close("another node owns shard " + number + " now");
            return Moment.NEVER;
        } catch (JournalFailure e) {
            handleStoreFailure(e);
        } catch (Error e) {
            // Memory may be half changed, or full, so nothing of it is used any more.
            context.counters().recordFailure(CounterName.LOST, "shard " + number + ": " + e);
            health.recordClose(e, context.monotonicNow());
            failed = true;
            close("shard " + number + " failed (" + e + ") and is being reopened");
            return Moment.NEVER;
        } finally {
            iterating = false;
        }
        return nextDelay(context.monotonicNow());
    }

    private void iterate(long monotonicNow) {
        for (ClaimMessage message = cancelledPolls.poll(); message != null; message = cancelledPolls.poll()) {
            state.polls().expireNow(message);
        }
        if (!mailbox.hasBacklog()) {
            // Messages that arrive while a batch is being written go into the next batch together.
            commitPass.finish(null);
        }
        ShardBatch batch = commitPass.gather(monotonicNow);
        if (inboxPending) {
            inboxPending = false;
            batch.includesInbox = true;
        }
        if (batch.isEmpty()) {
            commitPass.finish(null);
        } else if (commitPass.process(batch)) {
            inboxPending = true;
        }
        if (sweep.untilDue(context.monotonicNow()) == 0 && commitPass.finish(null)) {
            ShardOwnership ownership = state.ownership();
            if (ownership != null) {
                sweep.runOnce(ownership, context.monotonicNow());
            }
        }
    }

    private boolean open(long monotonicNow) {
        if (monotonicNow < retryAt) {
            failOverdue(monotonicNow);
            return false;
        }
        state.takeOwnership();
        inboxPending = true;
        return true;
    }

    /** Handles a store that is unreachable or that broke off. Only a new ownership can tell what was written. */
    private void handleStoreFailure(JournalFailure failure) {
        context.counters().recordFailure(CounterName.LOST, String.valueOf(failure.getMessage()));
        health.recordStoreFailure(failure, context.monotonicNow());
        lostAt = lostAt == NONE ? context.monotonicNow() : lostAt;
        lostMessage = ShardHealth.callerMessage(failure);
        state.giveUpOwnership();
        retryAt = context.monotonicNow() + backoff;
        backoff = Math.min(BACKOFF_MAX, backoff * 2);
        failOverdue(context.monotonicNow());
    }

    /** Tells callers that have waited too long that the outcome is unknown. */
    private void failOverdue(long monotonicNow) {
        String why = lostMessage + ", and shard " + number + " retries";
        boolean inOutage = lostAt != NONE && monotonicNow - lostAt > OUTAGE_THRESHOLD;
        for (Message<?> message :
                mailbox.takeOlder(monotonicNow - (inOutage ? OUTAGE_REQUEST_TIMEOUT : REQUEST_TIMEOUT))) {
            state.removeCaller(message);
            message.failUnavailable(why, Duration.ofSeconds(1));
        }
        for (ClaimMessage message : state.polls().expired(monotonicNow)) {
            state.removeCaller(message);
            message.failUnavailable(why, Duration.ofSeconds(1));
        }
    }

    private long nextDelay(long monotonicNow) {
        if (state.ownership() == null || monotonicNow < retryAt) {
            return Math.max(0, retryAt - monotonicNow);
        }
        if (!mailbox.isEmpty() || inboxPending || commitPass.isWriting()) {
            return 0;
        }
        long untilIteration =
                state.isEmpty() ? Moment.NEVER : Math.min(ITERATION_INTERVAL_MAX, sweep.untilDue(monotonicNow));
        return Math.min(state.untilDue(monotonicNow), untilIteration);
    }

    /**
     * Closes the shard and gives up its ownership. All waiting callers receive {@link Unavailable}, and may ask
     * elsewhere.
     */
    public void close(String why) {
        closedAt = context.monotonicNow();
        closeReason = why;
        finishWriting();
        var unavailable = new Unavailable(why, Duration.ofSeconds(1));
        mailbox.takeAll().forEach(message -> message.fail(unavailable));
        state.polls().all().forEach(message -> message.fail(unavailable));
        state.close();
        context.commitListener().onClose(number);
    }

    /**
     * Waits for the commit in flight. A failure of it is only counted, because the waiting callers must be answered in
     * any case.
     */
    private void finishWriting() {
        try {
            commitPass.finish(null);
        } catch (RuntimeException | Error e) {
            context.counters().recordFailure(CounterName.LOST, String.valueOf(e.getMessage()));
        }
    }
}
