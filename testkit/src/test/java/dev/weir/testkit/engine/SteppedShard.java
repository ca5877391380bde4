package dev.weir.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.ClaimWork;
import dev.weir.core.command.Command;
import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.definition.Workflow;
import dev.weir.core.state.Move;
import dev.weir.core.state.Update;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.journal.LoadUnfinished;
import dev.weir.engine.request.StartOutcome;
import dev.weir.engine.request.StartRequest;
import dev.weir.engine.shard.CommitExecutor;
import dev.weir.engine.shard.CommitListener;
import dev.weir.engine.shard.CounterName;
import dev.weir.engine.shard.Counters;
import dev.weir.engine.shard.LoadMemory;
import dev.weir.engine.shard.RunWaiters;
import dev.weir.engine.shard.Shard;
import dev.weir.engine.shard.ShardContext;
import dev.weir.testkit.journal.JournalFaults;
import dev.weir.testkit.journal.MemoryJournal;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * A shard whose loop a test steps by hand, over a journal that fails as the test says. Time advances only when the test
 * advances it.
 */
final class SteppedShard implements JournalFaults {
    static final long SECOND = 1_000_000;
    static final long LEASE = 30 * SECOND;
    static final String ACME = "acme";

    long now = 1_000 * SECOND;
    /** The total time for which the machine slept. The monotonic clock stands still then. */
    private long sleptMicros;

    final Counters counters = new Counters();
    final MemoryJournal journal = new MemoryJournal(() -> now, this).with(ACME);
    /** The fates of the next commits. Without an entry, a commit is written and its owner learns of it. */
    final Deque<CommitFate> fates = new ArrayDeque<>();
    /** Selects the commits that the store refuses to write. */
    Predicate<Map<String, List<Move>>> refusedCommits = moves -> false;

    /** All moves that were sent to the store and that it did not refuse. */
    final List<Move> sentMoves = new ArrayList<>();

    Runnable onCommit = () -> {};
    Runnable onBegin = () -> {};
    Runnable onReading = () -> {};
    Runnable onInbox = () -> {};
    boolean unreachable;
    /** The number of loads of {@link #ACME} that find it to be large. */
    int unfinishedLoads;
    /** True if loads of large organisations do not end before the test lets them. */
    boolean holdsLargeLoads;

    final List<Runnable> heldLoads = new ArrayList<>();
    /** Organisations that cannot be read in time. */
    final Set<String> slowOrganisations = new HashSet<>();

    Shard shard = open("node");

    Shard open(String node) {
        var context = new ShardContext(
                journal,
                node,
                () -> now - sleptMicros,
                Runnable::run,
                CommitExecutor.WHEN_AWAITED,
                this::load,
                LoadMemory.ofHeap(),
                counters,
                org -> {},
                new RunWaiters(),
                CommitListener.NONE,
                null);
        return new Shard(context, journal.shardOf(ACME));
    }

    private void load(Runnable load, boolean isQuick) {
        if (holdsLargeLoads && !isQuick) {
            heldLoads.add(load);
        } else {
            load.run();
        }
    }

    /** Ends the loads of large organisations that are held. */
    void releaseLoads() {
        holdsLargeLoads = false;
        heldLoads.forEach(Runnable::run);
        heldLoads.clear();
        runUntilIdle();
    }

    /** Adds another organisation of the same shard, and returns its name. */
    String neighbour(String prefix) {
        for (int i = 0; ; i++) {
            String name = prefix + i;
            journal.with(name);
            if (journal.shardOf(name) == journal.shardOf(ACME)) {
                return name;
            }
        }
    }

    @Override
    public void beforeTake(int number, String owner) {
        beforeRead(number);
    }

    @Override
    public void beforeRead(int number) {
        if (unreachable) {
            throw new JournalFailure.Lost("the store cannot be reached", new IOException("no route"));
        }
        onReading.run();
    }

    @Override
    public void beforeLoad(String org) {
        if (org.equals(ACME) && unfinishedLoads > 0) {
            unfinishedLoads--;
            throw new LoadUnfinished("loading organisation " + org);
        }
        if (slowOrganisations.contains(org)) {
            throw new JournalFailure.TooSlow("loading organisation " + org, new IOException("took too long"));
        }
    }

    @Override
    public void afterBegin(int number) {
        beforeRead(number);
        onBegin.run();
    }

    @Override
    public void beforeTakeInbox(int number) {
        onInbox.run();
    }

    @Override
    public CommitFate beforeCommit(int number, Map<String, List<Move>> moves) {
        onCommit.run();
        if (refusedCommits.test(moves)) {
            return CommitFate.REFUSED;
        }
        moves.values().forEach(sentMoves::addAll);
        return fates.isEmpty() ? CommitFate.WRITTEN : fates.removeFirst();
    }

    /** Lets the machine sleep, but not the store's machine. */
    void sleep(long micros) {
        now += micros;
        sleptMicros += micros;
    }

    /** Steps the loop until there is nothing to do now. */
    void runUntilIdle() {
        for (int passes = 0; shard.runOnce() == 0; passes++) {
            assertThat(passes).as("turns without rest").isLessThan(2_000);
        }
    }

    /** Lets time pass in small steps of the loop, as in production. */
    void advance(long micros) {
        long end = now + micros;
        while (now < end) {
            now = Math.min(end, now + SECOND / 2);
            runUntilIdle();
        }
    }

    <A> A send(Command<A> command) {
        return send(ACME, command);
    }

    <A> A send(String org, Command<A> command) {
        var answer = shard.send(org, command);
        runUntilIdle();
        return answered(answer);
    }

    static <A> A answered(CompletableFuture<A> answer) {
        assertThat(answer).isDone();
        return answer.join();
    }

    static Workflow workflow(String name) {
        return Workflow.named(name).step("say").uses("hello").build();
    }

    void register(String org) {
        send(org, new RegisterWorkflow(workflow("greet")));
    }

    static StartRequest request(String run) {
        return StartRequest.of(run, "greet", JsonNodeFactory.instance.objectNode());
    }

    StartOutcome start(String run) {
        var answer = shard.start(ACME, request(run));
        runUntilIdle();
        return answered(answer);
    }

    CompletableFuture<List<Assignment>> poll(String request) {
        return poll(ACME, request);
    }

    CompletableFuture<List<Assignment>> poll(String org, String request) {
        return poll(org, request, LEASE);
    }

    private CompletableFuture<List<Assignment>> poll(String org, String request, long lease) {
        var work = new ClaimWork(request, "worker", List.of(new ClaimWork.ServedModule("hello")), 1, lease);
        return shard.claim(org, work, 20 * SECOND);
    }

    Assignment claim(String request) {
        return claim(request, LEASE);
    }

    Assignment claim(String request, long lease) {
        var answer = poll(ACME, request, lease);
        runUntilIdle();
        return answered(answer).getFirst();
    }

    static UpdateStep noOpReport(Assignment work) {
        return new UpdateStep(work.claim().unit(), work.claim().fence(), new Update.NoOp());
    }

    long count(CounterName count) {
        return counters.values().of(count);
    }
}
