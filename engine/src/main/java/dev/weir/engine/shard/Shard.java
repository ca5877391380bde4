package dev.weir.engine.shard;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.Command;
import dev.weir.core.limit.Moment;
import dev.weir.core.run.Organisation;
import dev.weir.engine.CommandFailed;
import dev.weir.engine.Overloaded;
import dev.weir.engine.RetryOutcome;
import dev.weir.engine.StartOutcome;
import dev.weir.engine.StartRequest;
import dev.weir.engine.StateQuery;
import dev.weir.engine.Unavailable;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.journal.ShardOwnership;
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
    private static final long FLOCK_GAP_NANOS = 15_000;

    private static final long FLOCK_MAX_NANOS = 150_000;
    /** The interval at which the loop checks if it can wait for more messages. */
    private static final long LOOK_MICROS = 100;
    /** The time in microseconds for which the shard retries a message before it reports an unknown outcome. */
    public static final long PATIENCE = 10_000_000;
    /** The retry time in microseconds while the store has been unreachable for longer than {@link #AWAY}. */
    static final long PATIENCE_AWAY = 1_000_000;
    /** The time in microseconds that the store may be unreachable before callers get an early answer. */
    static final long AWAY = 5_000_000;
    /** The longest time in microseconds between two iterations while an organisation is in memory. */
    static final long TURN_MAX = 1_000_000;
    /** The first and the longest pause after a failure, in microseconds. */
    static final long PAUSE_MIN = 50_000;

    static final long PAUSE_MAX = 2_000_000;
    private static final long NONE = Long.MIN_VALUE;

    private final ShardContext site;
    private final int number;
    private final Mailbox mailbox;
    private final ConcurrentLinkedQueue<ClaimMessage> gone = new ConcurrentLinkedQueue<>();
    private final ShardState holdings;
    private final CommitPass passes;
    private final Sweep sweep;
    private final ShardHealth outage;
    private volatile Runnable wake = () -> {};
    private volatile boolean inboxWaits;
    private volatile @Nullable String closed;
    private volatile long closedAt;
    private volatile boolean failed;
    private volatile boolean turning;
    private long retryAt = NONE;
    private long pause = PAUSE_MIN;
    /** The time of the first store failure since the last success, by the monotonic clock. */
    private long lostAt = NONE;
    /** The description of the store failure that waiting callers receive. */
    private String lostBy = "";

    public Shard(ShardContext site, int number) {
        this(site, number, Mailbox.BATCH_MAX);
    }

    /** Creates a shard that decides at most {@code batchMax} messages at once. */
    public Shard(ShardContext site, int number, int batchMax) {
        this.site = site;
        this.number = number;
        this.mailbox = new Mailbox(batchMax);
        this.holdings = new ShardState(site, number);
        this.passes = new CommitPass(site, mailbox, holdings);
        this.sweep = new Sweep(site, holdings);
        this.outage = new ShardHealth(number);
    }

    /** Returns a new instance of this shard, to replace this one after an error closed it. */
    public Shard anew() {
        var next = new Shard(site, number);
        next.outage.goesOn(outage);
        return next;
    }

    public int number() {
        return number;
    }

    /** Sets the action to call when there is work. */
    public void onWork(Runnable action) {
        wake = action;
    }

    public <A> CompletableFuture<A> send(String org, Command<A> command) {
        var message = new CommandMessage<>(org, command, site.tick());
        String refusal = message.refusal();
        return refusal == null ? post(message) : CompletableFuture.failedFuture(new CommandFailed(refusal));
    }

    public CompletableFuture<StartOutcome> start(String org, StartRequest request) {
        return post(new StartMessage(org, request, site.tick()));
    }

    /** Retries an ended run as a new run with the id {@code as}. */
    public CompletableFuture<RetryOutcome> retry(String org, String run, String as) {
        return post(new RetryMessage(org, run, as, site.tick()));
    }

    /** Requests work and waits for it for at most {@code wait} microseconds. */
    public CompletableFuture<List<Assignment>> claim(String org, ClaimWork work, long wait) {
        var message = new ClaimMessage(org, work, site.tick(), wait);
        CompletableFuture<List<Assignment>> answer = post(message);
        CompletableFuture<List<Assignment>> unused = answer.whenComplete((claims, failure) -> {
            if (answer.isCancelled()) {
                gone.add(message);
                wake.run();
            }
        });
        return answer;
    }

    public <T> CompletableFuture<T> look(String org, StateQuery<T> look) {
        return post(new StateQueryMessage<>(org, look, site.tick()));
    }

    /** Signals that programs have left starts in the inbox of this shard. */
    public void inboxWaits() {
        inboxWaits = true;
        wake.run();
    }

    private <A> CompletableFuture<A> post(Message<A> message) {
        String over = closed;
        if (over != null) {
            message.unavailable(over, Duration.ofSeconds(1));
        } else if (!mailbox.offer(message)) {
            message.fail(tooMuch(message));
        } else if (closed != null) {
            // The shard closed in between, and may have emptied the mailbox before this message was in it.
            message.unavailable(String.valueOf(closed), Duration.ofSeconds(1));
        }
        wake.run();
        return message.future;
    }

    private Unavailable tooMuch(Message<?> refused) {
        Duration soon = Duration.ofSeconds(1);
        return refused.rank() == Message.Rank.NEW_WORK
                ? new Overloaded("too many new runs wait to be taken in by shard " + number + "; ask again", soon)
                : new Unavailable("too much waits in shard " + number + "; ask again", soon);
    }

    /** True if the shard accepts no more messages. */
    public boolean closed() {
        return closed != null;
    }

    /** True if an error closed the shard. No other node owns it then, so this node must open it again. */
    public boolean failed() {
        return failed;
    }

    /** The time at which the shard closed, by the monotonic clock. */
    public long closedAt() {
        return closedAt;
    }

    /**
     * A description of the failure that has stopped the shard for over 5 s, if there is one. Any thread may call this.
     */
    public Optional<String> trouble() {
        return outage.words(site.tick());
    }

    /** True if no message waits for a decision. */
    public boolean idle() {
        return mailbox.isEmpty() && !turning && !passes.isWriting();
    }

    /** True if no message waits for a decision and nothing is due. */
    public boolean settled() {
        return mailbox.isEmpty()
                && !passes.isWriting()
                && !inboxWaits
                && holdings.tenure() != null
                && holdings.untilDue(site.tick()) > 0;
    }

    /** The time in microseconds until something is due, for code that steps the shard by hand. */
    public long untilDue() {
        return holdings.untilDue(site.tick());
    }

    /** The organisation in memory, for code that steps the shard by hand. Nothing else may touch it. */
    public Optional<Organisation> find(String org) {
        return Optional.ofNullable(holdings.find(org)).map(resident -> resident.organisation);
    }

    /**
     * Waits for more messages while a batch is being written, as long as the next batch can still be decided in time.
     */
    private void gatherMore() {
        try {
            while (mailbox.size() < Mailbox.BATCH_MAX && passes.mayGatherMore(mailbox.size())) {
                TimeUnit.MICROSECONDS.sleep(LOOK_MICROS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Waits while more messages of a burst arrive, so that one commit covers them all. Bursts are common: a worker that
     * was granted ten steps reports ten.
     */
    public void gatherFlock() {
        gatherMore();
        long begun = System.nanoTime();
        int size = mailbox.size();
        int before = 0;
        while (size > before && size < Mailbox.AHEAD_MIN && System.nanoTime() - begun < FLOCK_MAX_NANOS) {
            before = size;
            long look = System.nanoTime() + FLOCK_GAP_NANOS;
            while (System.nanoTime() < look) {
                Thread.onSpinWait();
            }
            size = mailbox.size();
        }
    }

    /** Runs one iteration. Returns the time in microseconds after which the next one must run at the latest. */
    public long runOnce() {
        long tick = site.tick();
        if (closed != null) {
            return Moment.NEVER;
        }
        turning = true;
        try {
            if (holdings.tenure() == null && !open(tick)) {
                return Math.max(0, retryAt - tick);
            }
            long before = passes.commits();
            turn(tick);
            if (passes.takesAll()) {
                holdings.heard();
            }
            outage.wentWell(passes.commits() > before, site.tick());
            lostAt = NONE;
            pause = PAUSE_MIN;
        } catch (JournalFailure.Fenced e) {
            site.counters().failed(CounterName.FENCED, String.valueOf(e.getMessage()));
            close("another node owns shard " + number + " now; ask again");
            return Moment.NEVER;
        } catch (JournalFailure e) {
            lost(e);
        } catch (Error e) {
            // Memory may be half changed, or full, so nothing of it is used any more.
            site.counters().failed(CounterName.LOST, "shard " + number + ": " + e);
            outage.closed(e, site.tick());
            failed = true;
            close("shard " + number + " failed (" + e + ") and is opened anew; ask again");
            return Moment.NEVER;
        } finally {
            turning = false;
        }
        return next(site.tick());
    }

    private void turn(long tick) {
        for (ClaimMessage message = gone.poll(); message != null; message = gone.poll()) {
            holdings.polls().hurry(message);
        }
        if (!mailbox.isMuch()) {
            // Messages that arrive while a batch is being written go into the next batch together.
            passes.finish(null);
        }
        ShardBatch batch = passes.gather(tick);
        if (inboxWaits) {
            inboxWaits = false;
            batch.wantsInbox = true;
        }
        if (batch.isEmpty()) {
            passes.finish(null);
        } else if (passes.attempt(batch)) {
            inboxWaits = true;
        }
        if (sweep.untilDue(site.tick()) == 0 && passes.finish(null)) {
            ShardOwnership tenure = holdings.tenure();
            if (tenure != null) {
                sweep.runOnce(tenure, site.tick());
            }
        }
    }

    private boolean open(long tick) {
        if (tick < retryAt) {
            giveUp(tick);
            return false;
        }
        holdings.take();
        inboxWaits = true;
        return true;
    }

    /** Handles a store that is unreachable or that broke off. Only a new ownership can tell what was written. */
    private void lost(JournalFailure failure) {
        site.counters().failed(CounterName.LOST, String.valueOf(failure.getMessage()));
        outage.lost(failure, site.tick());
        lostAt = lostAt == NONE ? site.tick() : lostAt;
        lostBy = ShardHealth.toCallers(failure);
        holdings.letGo();
        retryAt = site.tick() + pause;
        pause = Math.min(PAUSE_MAX, pause * 2);
        giveUp(site.tick());
    }

    /** Tells callers that have waited too long that the outcome is unknown. */
    private void giveUp(long tick) {
        String why = lostBy + ", shard " + number + " tries again; so may you";
        boolean away = lostAt != NONE && tick - lostAt > AWAY;
        for (Message<?> message : mailbox.takeOlder(tick - (away ? PATIENCE_AWAY : PATIENCE))) {
            holdings.leaves(message);
            message.unavailable(why, Duration.ofSeconds(1));
        }
        for (ClaimMessage message : holdings.polls().over(tick)) {
            holdings.leaves(message);
            message.unavailable(why, Duration.ofSeconds(1));
        }
    }

    private long next(long tick) {
        if (holdings.tenure() == null || tick < retryAt) {
            return Math.max(0, retryAt - tick);
        }
        if (!mailbox.isEmpty() || inboxWaits || passes.isWriting()) {
            return 0;
        }
        long untilTurn = holdings.isEmpty() ? Moment.NEVER : Math.min(TURN_MAX, sweep.untilDue(tick));
        return Math.min(holdings.untilDue(tick), untilTurn);
    }

    /**
     * Closes the shard and gives up its ownership. All waiting callers receive {@link Unavailable}, and may ask
     * elsewhere.
     */
    public void close(String why) {
        closedAt = site.tick();
        closed = why;
        finishWriting();
        var unavailable = new Unavailable(why, Duration.ofSeconds(1));
        mailbox.takeAll().forEach(message -> message.fail(unavailable));
        holdings.polls().all().forEach(message -> message.fail(unavailable));
        holdings.close();
    }

    /**
     * Waits for the commit in flight. A failure of it is only counted, because the waiting callers must be answered in
     * any case.
     */
    private void finishWriting() {
        try {
            passes.finish(null);
        } catch (RuntimeException | Error e) {
            site.counters().failed(CounterName.LOST, String.valueOf(e.getMessage()));
        }
    }
}
