package dev.weir.engine;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.Command;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.limit.Moment;
import dev.weir.core.state.Attribution;
import dev.weir.engine.call.CallWorker;
import dev.weir.engine.journal.Journal;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.live.Activity;
import dev.weir.engine.live.ChangeFilter;
import dev.weir.engine.live.KeyReader;
import dev.weir.engine.live.LiveUpdates;
import dev.weir.engine.live.Subscription;
import dev.weir.engine.log.LogChunk;
import dev.weir.engine.log.LogStore;
import dev.weir.engine.records.Records;
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
import dev.weir.engine.shard.CommitExecutor;
import dev.weir.engine.shard.Counters;
import dev.weir.engine.shard.LoadExecutor;
import dev.weir.engine.shard.LoadMemory;
import dev.weir.engine.shard.Loop;
import dev.weir.engine.shard.RunWaiters;
import dev.weir.engine.shard.Shard;
import dev.weir.engine.shard.ShardContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A node: finds the shard of an organisation, opens shards when they are needed, and watches the inbox. */
final class EngineNode implements Weir {
    /** The interval between two looks at the inbox, in microseconds. */
    private static final long INBOX_INTERVAL = 100_000;
    /** The time in microseconds before the node reopens a shard that another node took or that an error closed. */
    private static final long REOPEN_DELAY = 5_000_000;
    /** The time in microseconds for which a close waits for accepted messages. */
    private static final long DRAIN_TIMEOUT = 10_000_000;

    /** The number of failing shards that are listed by name. */
    private static final int OUTAGES_LISTED_MAX = 5;

    private static final long NANOS_PER_MICRO = 1_000;
    /** The organisations that a node reads into memory at once: those of usual size, and large ones. */
    private static final int QUICK_LOADS_MAX = 3;

    private static final int THOROUGH_LOADS_MAX = 2;

    private final Journal journal;
    private final Records records;
    private final EngineSettings settings;
    private final ShardContext context;
    private final CallWorker callWorker;
    private final ReportRedaction redaction;
    private final LiveUpdates liveUpdates = new LiveUpdates(
            (org, keys) -> query(org, (organisation, now) -> KeyReader.levels(organisation, keys, now)));
    private final ExecutorService responseExecutor = Executors.newVirtualThreadPerTaskExecutor();
    private final ExecutorService commitThreads = Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name("weir writer ", 0).factory());
    private final ExecutorService quickLoads = loadThreads("weir load ", QUICK_LOADS_MAX);
    private final ExecutorService thoroughLoads = loadThreads("weir large load ", THOROUGH_LOADS_MAX);
    private final Map<Integer, OpenShard> openShards = new ConcurrentHashMap<>();
    private final Map<String, Integer> shardOf = new ConcurrentHashMap<>();
    private final Loop inboxLoop;
    private final BulkRuns bulk;
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
                this,
                settings.secrets(),
                (org, report, by) -> withShard(org, shard -> shard.send(org, report, by)),
                responseExecutor);
        this.callWorker = new CallWorker(this, settings.node(), settings.calls(), settings.secrets());
        this.context = new ShardContext(
                journal,
                settings.node(),
                EngineNode::micros,
                responseExecutor,
                CommitExecutor.of(commitThreads),
                LoadExecutor.of(quickLoads, thoroughLoads),
                LoadMemory.ofHeap(),
                new Counters(),
                callWorker::signal,
                new RunWaiters(),
                liveUpdates,
                settings.notices());
        liveUpdates.start();
        this.inboxLoop = new Loop("weir inbox", this::openShardsWithWork);
        inboxLoop.start();
        this.bulk = new BulkRuns(this, records, settings.node());
    }

    private static ExecutorService loadThreads(String name, int threads) {
        return Executors.newFixedThreadPool(
                threads, Thread.ofPlatform().daemon().name(name, 0).factory());
    }

    private static long micros() {
        return System.nanoTime() / NANOS_PER_MICRO;
    }

    /**
     * Opens shards without a request, because due work in them must continue. At the start these are the shards with
     * unfinished work; later those with starts in the inbox, and those that an error closed.
     */
    private long openShardsWithWork() {
        if (!started) {
            journal.shardsWithWork().forEach(this::shard);
            started = true;
        }
        openShards.values().stream()
                .map(one -> one.shard)
                .filter(Shard::hasFailed)
                .forEach(failed -> shard(failed.number()));
        for (int number : journal.shardsWithInbox()) {
            Shard shard = shard(number);
            if (shard != null) {
                shard.notifyInbox();
            }
        }
        return INBOX_INTERVAL;
    }

    @Override
    public OrganisationHandle organisation(String name) {
        return new OrganisationHandle(this, name, settings.secrets());
    }

    @Override
    @SuppressWarnings("unchecked") // UpdateStep is a command whose answer type is A.
    public <A> CompletableFuture<A> send(String org, Command<A> command, Attribution by) {
        return command instanceof UpdateStep report
                ? (CompletableFuture<A>) redaction.send(org, report, by)
                : withShard(org, shard -> shard.send(org, command, by));
    }

    @Override
    public LogStore.AppendResult log(String org, LogChunk chunk) {
        return redaction.log(org, chunk);
    }

    @Override
    public CompletableFuture<StartOutcome> start(String org, StartRequest request, Attribution by) {
        return withShard(org, shard -> shard.start(org, request, by));
    }

    @Override
    public CompletableFuture<StartOutcome> trigger(String org, TriggeredStart request, Attribution by) {
        return withShard(org, shard -> shard.trigger(org, request, by));
    }

    @Override
    public CompletableFuture<EventReceipt> receive(String org, EventRequest request, Attribution by) {
        return withShard(org, shard -> shard.receive(org, request, by));
    }

    @Override
    public CompletableFuture<Void> onRunEnd(String org, String run) {
        CompletableFuture<Void> waiter = context.runWaiters().register(org, run);
        if (closing) {
            waiter.complete(null);
        }
        return waiter;
    }

    @Override
    public int waitingForRuns() {
        return context.runWaiters().size();
    }

    @Override
    public CompletableFuture<RetryOutcome> retry(String org, String run, String newRun, Attribution by) {
        return withShard(org, shard -> shard.retry(org, run, newRun, by));
    }

    @Override
    public CompletableFuture<DeadLetterOutcome> close(String org, DeadLetterRequest request, Attribution by) {
        return withShard(org, shard -> shard.close(org, request, by));
    }

    @Override
    public CompletableFuture<List<Assignment>> claim(String org, ClaimWork request, Duration wait) {
        if (wait.isNegative() || wait.compareTo(WAIT_MAX) > 0) {
            throw new IllegalArgumentException("wait must be from 0 to " + WAIT_MAX + ", found " + wait);
        }
        return withShard(org, shard -> shard.claim(org, request, Moment.micros(wait)));
    }

    @Override
    public <T> CompletableFuture<T> query(String org, StateQuery<T> query) {
        return withShard(org, shard -> shard.query(org, query));
    }

    @Override
    public CompletableFuture<Subscription> subscribe(String org, ChangeFilter filter, @Nullable String lastId) {
        // The query opens the shard and loads the organisation, so that the subscription does not begin with a reset.
        return query(org, (organisation, now) -> now).thenApply(now -> {
            int number = Objects.requireNonNull(shardOf.get(org));
            Subscription subscription = liveUpdates.subscribe(number, org, filter, lastId);
            OpenShard open = openShards.get(number);
            if (open == null || open.shard.isClosed()) {
                subscription.close();
                throw unavailable("shard " + number + " is not open on this node at the moment");
            }
            return subscription;
        });
    }

    @Override
    public Activity activity() {
        return liveUpdates;
    }

    @Override
    public <T> T whileClosed(String org, Supplier<T> action) {
        int number = journal.shardOf(org);
        OpenShard open = openShards.get(number);
        if (open != null) {
            open.loop.close();
            open.shard.close("organisation " + org + " is being changed");
        }
        try {
            return action.get();
        } finally {
            shardOf.remove(org);
            if (open != null) {
                openShards.remove(number, open);
            }
            shard(number);
        }
    }

    @Override
    public Records records() {
        return records;
    }

    @Override
    public BulkRuns bulk() {
        return bulk;
    }

    @Override
    public Counters.CounterValues counters() {
        return context.counters().values();
    }

    @Override
    public List<String> outages() {
        List<String> all = openShards.values().stream()
                .map(one -> one.shard.outage())
                .flatMap(Optional::stream)
                .toList();
        if (all.size() <= OUTAGES_LISTED_MAX) {
            return all;
        }
        List<String> some = new ArrayList<>(all.subList(0, OUTAGES_LISTED_MAX));
        some.add((all.size() - OUTAGES_LISTED_MAX) + " more shards of this node are affected");
        return some;
    }

    private <A> CompletableFuture<A> withShard(String org, Function<Shard, CompletableFuture<A>> request) {
        Integer known = shardOf.get(org);
        if (known != null) {
            return callShard(known, request);
        }
        if (closing) {
            return CompletableFuture.failedFuture(unavailable("this node is shutting down"));
        }
        var found = new CompletableFuture<CompletableFuture<A>>();
        responseExecutor.execute(() -> {
            try {
                int shard = journal.shardOf(org);
                shardOf.put(org, shard);
                found.complete(callShard(shard, request));
            } catch (NoSuchElementException e) {
                found.completeExceptionally(new CommandFailed("organisation not found: " + org, e));
            } catch (JournalFailure e) {
                found.completeExceptionally(unavailable("the database is not reachable: " + e.getMessage()));
            }
        });
        return found.thenCompose(Function.identity());
    }

    private <A> CompletableFuture<A> callShard(int number, Function<Shard, CompletableFuture<A>> request) {
        Shard shard = shard(number);
        return shard == null
                ? CompletableFuture.failedFuture(unavailable(
                        closing
                                ? "this node is shutting down"
                                : "shard " + number + " is not open on this node at the moment"))
                : request.apply(shard);
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
        OpenShard found = openShards.computeIfAbsent(number, ignored -> open(new Shard(context, number)));
        if (!found.shard.isClosed()) {
            return found.shard;
        }
        if (micros() - found.shard.closedAt() < REOPEN_DELAY) {
            return null;
        }
        found.loop.close();
        return openShards.computeIfPresent(number, (ignored, old) -> old == found ? open(replace(old.shard)) : old)
                .shard;
    }

    private Shard replace(Shard closed) {
        return closed.hasFailed() ? closed.createReplacement() : new Shard(context, closed.number());
    }

    private OpenShard open(Shard shard) {
        var loop = new Loop("weir shard " + shard.number(), () -> {
            shard.awaitBurst();
            return shard.runOnce();
        });
        shard.onWork(loop::wake);
        loop.start();
        return new OpenShard(shard, loop);
    }

    @Override
    public void close() {
        bulk.close();
        liveUpdates.close();
        callWorker.close();
        closing = true;
        context.runWaiters().wakeAll();
        inboxLoop.close();
        long deadline = micros() + DRAIN_TIMEOUT;
        for (OpenShard one : openShards.values()) {
            while (!one.shard.isIdle() && !one.shard.isClosed() && micros() < deadline) {
                one.loop.wake();
                LockSupport.parkNanos(NANOS_PER_MICRO * NANOS_PER_MICRO);
            }
            one.loop.close();
            one.shard.close("this node is shutting down");
        }
        commitThreads.close();
        // The ownerships under which they read are over.
        quickLoads.shutdownNow();
        thoroughLoads.shutdownNow();
        responseExecutor.close();
        journal.close();
    }
}
