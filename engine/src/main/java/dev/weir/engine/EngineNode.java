package dev.weir.engine;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.Command;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.limit.Moment;
import dev.weir.engine.call.CallWorker;
import dev.weir.engine.journal.Journal;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.log.LogChunk;
import dev.weir.engine.log.LogStore;
import dev.weir.engine.records.Records;
import dev.weir.engine.shard.CommitExecutor;
import dev.weir.engine.shard.Counters;
import dev.weir.engine.shard.Loop;
import dev.weir.engine.shard.Shard;
import dev.weir.engine.shard.ShardContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A node: finds the shard of an organisation, opens shards when they are needed, and watches the inbox. */
final class EngineNode implements Weir {
    /** The interval between two looks at the inbox, in microseconds. */
    private static final long INBOX_EVERY = 100_000;
    /** The time in microseconds before the node reopens a shard that another node took or that an error closed. */
    private static final long LEFT_ALONE = 5_000_000;
    /** The time in microseconds for which a close waits for accepted messages. */
    private static final long DRAIN_MAX = 10_000_000;

    /** The number of failing shards that are listed by name. */
    private static final int TROUBLES_MAX = 5;

    private static final long NANOS_PER_MICRO = 1_000;

    private final Journal journal;
    private final Records records;
    private final EngineSettings settings;
    private final ShardContext site;
    private final CallWorker calls;
    private final ReportRedaction redaction;
    private final ExecutorService answers = Executors.newVirtualThreadPerTaskExecutor();
    private final ExecutorService writers = Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name("weir writer ", 0).factory());
    private final Map<Integer, OpenShard> open = new ConcurrentHashMap<>();
    private final Map<String, Integer> shardOf = new ConcurrentHashMap<>();
    private final Loop watch;
    private volatile boolean closing;
    private boolean started;

    /** A shard and the loop that runs it. */
    private static final class OpenShard {
        private final Shard shard;
        private final Loop loop;

        OpenShard(Shard shard, Loop loop) {
            this.shard = shard;
            this.loop = loop;
        }
    }

    EngineNode(Journal journal, Records records, EngineSettings settings) {
        this.journal = journal;
        this.records = records;
        this.settings = settings;
        this.redaction = new ReportRedaction(
                this, settings.secrets(), (org, report) -> with(org, shard -> shard.send(org, report)), answers);
        this.calls = new CallWorker(this, settings.node(), settings.calls(), settings.secrets());
        this.site = new ShardContext(
                journal,
                settings.node(),
                EngineNode::micros,
                answers,
                CommitExecutor.on(writers),
                new Counters(),
                calls::wanted);
        this.watch = new Loop("weir inbox", this::lookAround);
        watch.start();
    }

    private static long micros() {
        return System.nanoTime() / NANOS_PER_MICRO;
    }

    /**
     * Opens shards without a request, because due work in them must continue. At the start these are the shards with
     * unfinished work; later those with starts in the inbox, and those that an error closed.
     */
    private long lookAround() {
        if (!started) {
            journal.living().forEach(this::shard);
            started = true;
        }
        open.values().stream().map(one -> one.shard).filter(Shard::failed).forEach(failed -> shard(failed.number()));
        for (int number : journal.inboxes()) {
            Shard shard = shard(number);
            if (shard != null) {
                shard.inboxWaits();
            }
        }
        return INBOX_EVERY;
    }

    @Override
    public OrganisationHandle organisation(String name) {
        return new OrganisationHandle(this, name, settings.secrets());
    }

    @Override
    @SuppressWarnings("unchecked") // UpdateStep is a command whose answer type is A.
    public <A> CompletableFuture<A> send(String org, Command<A> command) {
        return command instanceof UpdateStep report
                ? (CompletableFuture<A>) redaction.send(org, report)
                : with(org, shard -> shard.send(org, command));
    }

    @Override
    public LogStore.Kept log(String org, LogChunk piece) {
        return redaction.log(org, piece);
    }

    @Override
    public CompletableFuture<StartOutcome> start(String org, StartRequest request) {
        return with(org, shard -> shard.start(org, request));
    }

    @Override
    public CompletableFuture<RetryOutcome> retry(String org, String run, String as) {
        return with(org, shard -> shard.retry(org, run, as));
    }

    @Override
    public CompletableFuture<List<Assignment>> claim(String org, ClaimWork request, Duration wait) {
        if (wait.isNegative() || wait.compareTo(WAIT_MAX) > 0) {
            throw new IllegalArgumentException("wait must be from 0 to " + WAIT_MAX + ", found " + wait);
        }
        return with(org, shard -> shard.claim(org, request, Moment.micros(wait)));
    }

    @Override
    public <T> CompletableFuture<T> look(String org, StateQuery<T> look) {
        return with(org, shard -> shard.look(org, look));
    }

    @Override
    public Records records() {
        return records;
    }

    @Override
    public Counters.Figures figures() {
        return site.counters().figures();
    }

    @Override
    public List<String> troubles() {
        List<String> all = open.values().stream()
                .map(one -> one.shard.trouble())
                .flatMap(Optional::stream)
                .toList();
        if (all.size() <= TROUBLES_MAX) {
            return all;
        }
        List<String> some = new ArrayList<>(all.subList(0, TROUBLES_MAX));
        some.add((all.size() - TROUBLES_MAX) + " more shards of this node are affected");
        return some;
    }

    private <A> CompletableFuture<A> with(String org, Function<Shard, CompletableFuture<A>> ask) {
        Integer known = shardOf.get(org);
        if (known != null) {
            return ask(known, ask);
        }
        if (closing) {
            return CompletableFuture.failedFuture(unavailable("this node is closing"));
        }
        var found = new CompletableFuture<CompletableFuture<A>>();
        answers.execute(() -> {
            try {
                int shard = journal.shardOf(org);
                shardOf.put(org, shard);
                found.complete(ask(shard, ask));
            } catch (NoSuchElementException e) {
                found.completeExceptionally(new CommandFailed("there is no organisation " + org, e));
            } catch (JournalFailure e) {
                found.completeExceptionally(unavailable("the store cannot be reached: " + e.getMessage()));
            }
        });
        return found.thenCompose(Function.identity());
    }

    private <A> CompletableFuture<A> ask(int number, Function<Shard, CompletableFuture<A>> ask) {
        Shard shard = shard(number);
        return shard == null
                ? CompletableFuture.failedFuture(unavailable(
                        closing
                                ? "this node is closing"
                                : "shard " + number + " is not open on this node now; ask again"))
                : ask.apply(shard);
    }

    private static Unavailable unavailable(String why) {
        return new Unavailable(why, Duration.ofSeconds(1));
    }

    /**
     * Returns the shard, opened if necessary. Absent while another node owns it, for a while after an error, and while
     * this node closes.
     */
    private @Nullable Shard shard(int number) {
        if (closing) {
            return null;
        }
        OpenShard found = open.computeIfAbsent(number, ignored -> open(new Shard(site, number)));
        if (!found.shard.closed()) {
            return found.shard;
        }
        if (micros() - found.shard.closedAt() < LEFT_ALONE) {
            return null;
        }
        found.loop.close();
        return open.computeIfPresent(number, (ignored, old) -> old == found ? open(again(old.shard)) : old).shard;
    }

    private Shard again(Shard closed) {
        return closed.failed() ? closed.anew() : new Shard(site, closed.number());
    }

    private OpenShard open(Shard shard) {
        var loop = new Loop("weir shard " + shard.number(), () -> {
            shard.gatherFlock();
            return shard.runOnce();
        });
        shard.onWork(loop::wake);
        loop.start();
        return new OpenShard(shard, loop);
    }

    @Override
    public void close() {
        calls.close();
        closing = true;
        watch.close();
        long giveUp = micros() + DRAIN_MAX;
        for (OpenShard one : open.values()) {
            while (!one.shard.idle() && !one.shard.closed() && micros() < giveUp) {
                one.loop.wake();
                LockSupport.parkNanos(NANOS_PER_MICRO * NANOS_PER_MICRO);
            }
            one.loop.close();
            one.shard.close("this node is closing");
        }
        writers.close();
        answers.close();
        journal.close();
    }
}
