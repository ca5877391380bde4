package dev.weir.engine.shard;

import dev.weir.core.life.Assignment;
import dev.weir.core.life.ClaimWork;
import dev.weir.core.life.Command;
import dev.weir.core.life.Organisation;
import dev.weir.core.limit.Moment;
import dev.weir.engine.CommandFailed;
import dev.weir.engine.Look;
import dev.weir.engine.Overloaded;
import dev.weir.engine.RetryAnswer;
import dev.weir.engine.StartAnswer;
import dev.weir.engine.StartRequest;
import dev.weir.engine.Unavailable;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.journal.Tenure;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One shard that this node owns, as long as nobody else takes it. Messages come from any thread; passes are made by one
 * thread, or cranked by hand.
 */
public final class Shard {
    /** How long a message is waited for after the last one, and for how long in all. */
    private static final long FLOCK_GAP_NANOS = 15_000;

    private static final long FLOCK_MAX_NANOS = 150_000;
    /** How often it is looked whether more messages can be waited for. */
    private static final long LOOK_MICROS = 100;
    /** For how long a message is tried, in microseconds, before its outcome is called unknown. */
    public static final long PATIENCE = 10_000_000;
    /** The same while the store has been away for longer than {@link #AWAY}. */
    static final long PATIENCE_AWAY = 1_000_000;
    /** How long a store may be away, in microseconds, before nobody is kept waiting for it. */
    static final long AWAY = 5_000_000;
    /** How often a loop with something in memory turns at least, in microseconds. */
    static final long TURN_MAX = 1_000_000;
    /** The pause after a failure, in microseconds: at first, and at the most. */
    static final long PAUSE_MIN = 50_000;

    static final long PAUSE_MAX = 2_000_000;
    private static final long NONE = Long.MIN_VALUE;

    private final Site site;
    private final int number;
    private final Mailbox mailbox;
    private final ConcurrentLinkedQueue<ClaimMessage> gone = new ConcurrentLinkedQueue<>();
    private final Holdings holdings;
    private final Passes passes;
    private final Sweep sweep;
    private final Outage outage;
    private volatile Runnable wake = () -> {};
    private volatile boolean inboxWaits;
    private volatile @Nullable String closed;
    private volatile long closedAt;
    private volatile boolean failed;
    private volatile boolean turning;
    private long retryAt = NONE;
    private long pause = PAUSE_MIN;
    /** Since when the store is away. */
    private long lostAt = NONE;
    /** What is told to those who wait for it. */
    private String lostBy = "";

    public Shard(Site site, int number) {
        this(site, number, Mailbox.BATCH_MAX);
    }

    /** A shard that decides about so many messages at once at the most. */
    public Shard(Site site, int number, int batchMax) {
        this.site = site;
        this.number = number;
        this.mailbox = new Mailbox(batchMax);
        this.holdings = new Holdings(site, number);
        this.passes = new Passes(site, mailbox, holdings);
        this.sweep = new Sweep(site, holdings);
        this.outage = new Outage(number);
    }

    /** The same shard again, after an error has closed this one. */
    public Shard anew() {
        var next = new Shard(site, number);
        next.outage.goesOn(outage);
        return next;
    }

    public int number() {
        return number;
    }

    /** What to call when there is something to do. */
    public void onWork(Runnable action) {
        wake = action;
    }

    public <A> CompletableFuture<A> send(String org, Command<A> command) {
        var message = new CommandMessage<>(org, command, site.tick());
        String refusal = message.refusal();
        return refusal == null ? post(message) : CompletableFuture.failedFuture(new CommandFailed(refusal));
    }

    public CompletableFuture<StartAnswer> start(String org, StartRequest request) {
        return post(new StartMessage(org, request, site.tick()));
    }

    /** Tries a run that has ended again, as a new run of that id. */
    public CompletableFuture<RetryAnswer> retry(String org, String run, String as) {
        return post(new RetryMessage(org, run, as, site.tick()));
    }

    /** Asks for work; the wait is in microseconds. */
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

    public <T> CompletableFuture<T> look(String org, Look<T> look) {
        return post(new LookMessage<>(org, look, site.tick()));
    }

    /** Programs have left starts for this shard. */
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
            // It closed in between, and may have emptied the mailbox before this message was in it.
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

    /** Whether it takes nothing in any more. */
    public boolean closed() {
        return closed != null;
    }

    /** Whether it closed because of an error: nobody else has it, so it is to be opened anew. */
    public boolean failed() {
        return failed;
    }

    /** When it closed, by the monotonic clock. */
    public long closedAt() {
        return closedAt;
    }

    /** What keeps it from its work, in words, if something has done so for over 5 s; any thread may ask. */
    public Optional<String> trouble() {
        return outage.words(site.tick());
    }

    /** Whether nothing waits to be decided. */
    public boolean idle() {
        return mailbox.isEmpty() && !turning && !passes.isWriting();
    }

    /** Whether nothing waits to be decided, nor to be due. */
    public boolean settled() {
        return mailbox.isEmpty()
                && !passes.isWriting()
                && !inboxWaits
                && holdings.tenure() != null
                && holdings.untilDue(site.tick()) > 0;
    }

    /** After how many microseconds something is due by itself, for whoever turns the shard by hand. */
    public long untilDue() {
        return holdings.untilDue(site.tick());
    }

    /** What is in memory of an organisation, for whoever turns the shard by hand; nobody else may touch it. */
    public Optional<Organisation> find(String org) {
        return Optional.ofNullable(holdings.find(org)).map(resident -> resident.organisation);
    }

    /** Waits for more messages as long as a batch is written anyway, and what is there can still be decided in time. */
    private void gatherMore() {
        try {
            while (mailbox.size() < Mailbox.BATCH_MAX && passes.mayGatherMore(mailbox.size())) {
                TimeUnit.MICROSECONDS.sleep(LOOK_MICROS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Messages come in flocks: who was served ten steps reports ten. Waits while more come, so that one commit takes them all. */
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

    /** One turn. Says after how many microseconds the next is wanted at the latest. */
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
            site.counters().failed(Count.FENCED, String.valueOf(e.getMessage()));
            close("another node owns shard " + number + " now; ask again");
            return Moment.NEVER;
        } catch (JournalFailure e) {
            lost(e);
        } catch (Error e) {
            // Memory may be half changed, or full: nothing of it is used any more.
            site.counters().failed(Count.LOST, "shard " + number + ": " + e);
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
            // What comes while a batch is written goes with the next one, as much as there is by then.
            passes.finish(null);
        }
        Batch batch = passes.gather(tick);
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
            Tenure tenure = holdings.tenure();
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

    /** The store could not be reached or broke off: only a new tenure can tell what was written. */
    private void lost(JournalFailure failure) {
        site.counters().failed(Count.LOST, String.valueOf(failure.getMessage()));
        outage.lost(failure, site.tick());
        lostAt = lostAt == NONE ? site.tick() : lostAt;
        lostBy = Outage.toCallers(failure);
        holdings.letGo();
        retryAt = site.tick() + pause;
        pause = Math.min(PAUSE_MAX, pause * 2);
        giveUp(site.tick());
    }

    /** Tells those who have waited too long that nobody knows. */
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

    /** Takes nothing more in and lets the shard go; all who wait are told to ask elsewhere. */
    public void close(String why) {
        closedAt = site.tick();
        closed = why;
        finishWriting();
        var unavailable = new Unavailable(why, Duration.ofSeconds(1));
        mailbox.takeAll().forEach(message -> message.fail(unavailable));
        holdings.polls().all().forEach(message -> message.fail(unavailable));
        holdings.close();
    }

    /** Whatever becomes of it, those who wait are told. */
    private void finishWriting() {
        try {
            passes.finish(null);
        } catch (RuntimeException | Error e) {
            site.counters().failed(Count.LOST, String.valueOf(e.getMessage()));
        }
    }
}
