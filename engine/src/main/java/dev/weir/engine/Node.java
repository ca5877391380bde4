package dev.weir.engine;

import dev.weir.core.life.Assignment;
import dev.weir.core.life.ClaimWork;
import dev.weir.core.life.Command;
import dev.weir.core.limit.Moment;
import dev.weir.engine.call.Calls;
import dev.weir.engine.journal.Journal;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.records.Records;
import dev.weir.engine.shard.Beside;
import dev.weir.engine.shard.Counters;
import dev.weir.engine.shard.Loop;
import dev.weir.engine.shard.Shard;
import dev.weir.engine.shard.Site;
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
final class Node implements Weir {
    /** How often the inbox is looked at, in microseconds. */
    private static final long INBOX_EVERY = 100_000;
    /** How long a shard that another node has taken, or an error has closed, is left alone, in microseconds. */
    private static final long LEFT_ALONE = 5_000_000;
    /** How long a close waits for what was taken in, in microseconds. */
    private static final long DRAIN_MAX = 10_000_000;

    /** Shards that are named when many cannot go on. */
    private static final int TROUBLES_MAX = 5;

    private static final long NANOS_PER_MICRO = 1_000;

    private final Journal journal;
    private final Records records;
    private final Settings settings;
    private final Site site;
    private final Calls calls;
    private final ExecutorService answers = Executors.newVirtualThreadPerTaskExecutor();
    private final ExecutorService writers = Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name("weir writer ", 0).factory());
    private final Map<Integer, OpenShard> open = new ConcurrentHashMap<>();
    private final Map<String, Integer> shardOf = new ConcurrentHashMap<>();
    private final Loop watch;
    private volatile boolean closing;
    private boolean started;

    /** A shard and the loop that turns it. */
    private static final class OpenShard {
        private final Shard shard;
        private final Loop loop;

        OpenShard(Shard shard, Loop loop) {
            this.shard = shard;
            this.loop = loop;
        }
    }

    Node(Journal journal, Records records, Settings settings) {
        this.journal = journal;
        this.records = records;
        this.settings = settings;
        this.calls = new Calls(this, settings.node(), settings.calls(), settings.secrets());
        this.site = new Site(
                journal, settings.node(), Node::micros, answers, Beside.on(writers), new Counters(), calls::wanted);
        this.watch = new Loop("weir inbox", this::lookAround);
        watch.start();
    }

    private static long micros() {
        return System.nanoTime() / NANOS_PER_MICRO;
    }

    /**
     * Opens shards of which something lives, once, those for which programs have left starts, and those that an error has
     * closed: what is due in them must go on although nobody asks for anything.
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
    public Org organisation(String name) {
        return new Org(this, name, settings.secrets());
    }

    @Override
    public <A> CompletableFuture<A> send(String org, Command<A> command) {
        return with(org, shard -> shard.send(org, command));
    }

    @Override
    public CompletableFuture<StartAnswer> start(String org, StartRequest request) {
        return with(org, shard -> shard.start(org, request));
    }

    @Override
    public CompletableFuture<RetryAnswer> retry(String org, String run, String as) {
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
    public <T> CompletableFuture<T> look(String org, Look<T> look) {
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
        some.add("so it is with " + (all.size() - TROUBLES_MAX) + " more shards of this node");
        return some;
    }

    private <A> CompletableFuture<A> with(String org, Function<Shard, CompletableFuture<A>> ask) {
        Integer known = shardOf.get(org);
        if (known != null) {
            return ask(known, ask);
        }
        var found = new CompletableFuture<CompletableFuture<A>>();
        answers.execute(() -> {
            try {
                found.complete(ask(shardOf.computeIfAbsent(org, journal::shardOf), ask));
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

    /** The shard of that number, opened if need be; absent while it is left to another node, or after an error, or while this one closes. */
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
