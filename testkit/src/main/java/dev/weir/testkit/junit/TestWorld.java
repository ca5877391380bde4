package dev.weir.testkit.junit;

import dev.weir.core.limit.Moment;
import dev.weir.core.run.Organisation;
import dev.weir.engine.records.Records;
import dev.weir.engine.shard.Counters;
import dev.weir.engine.shard.Shard;
import dev.weir.engine.shard.ShardContext;
import dev.weir.testkit.journal.JournalFaults;
import dev.weir.testkit.journal.MemoryJournal;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** The world of one test: a clock that the test moves, a shard whose loop is stepped by hand, and the workers. */
final class TestWorld {
    /** The largest number of rounds, of workers or of the shard, without time passing. */
    private static final int ROUNDS_MAX = 100_000;

    private static final long SECOND = 1_000_000;
    /**
     * The last part of a wait, which is stepped second by second. A loop that stood still grants claims extra time;
     * after this time the loop counts as running normally again.
     */
    private static final long STEPPED_TIME = 12 * SECOND;

    final Records records;
    final TestWorkers workers;
    private final MemoryJournal journal;
    private Shard shard;
    private long now;

    TestWorld(long begin) {
        this.now = begin;
        this.journal = new MemoryJournal(() -> now, JournalFaults.NONE).with(VirtualWeir.ORG);
        this.records = journal.records();
        this.shard = open();
        this.workers = new TestWorkers(() -> shard, () -> now);
    }

    private Shard open() {
        var context = new ShardContext(journal, "test", () -> now, new Counters());
        return new Shard(context, journal.shardOf(VirtualWeir.ORG));
    }

    /** Kills the node and opens another one, which loads everything from the journal. The workers stay alive. */
    void restart() {
        shard.close("the test killed the node");
        shard = open();
        workers.forgetOpenRequests();
        settle();
    }

    long now() {
        return now;
    }

    /** Sends a request to the shard, and lets everything happen that follows from it at the current time. */
    <A> A send(Function<Shard, CompletableFuture<A>> request) {
        CompletableFuture<A> answer = request.apply(shard);
        settle();
        if (!answer.isDone()) {
            throw new IllegalStateException("expected a response by now, found none");
        }
        return answer.join();
    }

    Optional<Organisation> organisation() {
        return shard.find(VirtualWeir.ORG);
    }

    /** Lets the shard and the workers do everything that there is to do at the current time. */
    void settle() {
        int rounds = 0;
        do {
            workers.poll();
            runShard();
            rounds++;
            if (rounds > ROUNDS_MAX) {
                throw new AssertionError("expected the work at " + Moment.toInstant(now)
                        + " to end, found that it does not; check for a handler that reports without taking time");
            }
        } while (workers.runDue());
    }

    private void runShard() {
        for (int passes = 0; shard.runOnce() == 0; passes++) {
            if (passes > ROUNDS_MAX) {
                throw new IllegalStateException(
                        "expected the shard to become idle, found it busy after " + passes + " passes");
            }
        }
    }

    /** Lets time pass until the given time. */
    void advanceTo(long end) {
        settle();
        while (now < end) {
            advanceClock(end);
        }
    }

    /** Advances to the next event, but not beyond the given time. Returns false if there is nothing to wait for. */
    boolean advanceOnce(long end) {
        settle();
        if (nextDueAt() == Moment.NEVER || now >= end) {
            return false;
        }
        advanceClock(end);
        return true;
    }

    private long nextDueAt() {
        long untilDue = shard.untilDue();
        return Math.min(workers.nextEventAt(), untilDue == Moment.NEVER ? Moment.NEVER : Moment.plus(now, untilDue));
    }

    /**
     * Advances the clock. After its loop has stood still, a shard postpones the expiry of claims for a while. The clock
     * therefore advances second by second, as in production, while there are claims and shortly before something is
     * due.
     */
    private void advanceClock(long end) {
        long due = Math.min(end, nextDueAt());
        if (!workers.isBusy() && due - STEPPED_TIME > now) {
            now = due - STEPPED_TIME;
            // Make a pass here, so that the shard notices the jump before something is due.
            Long unused = send(to -> to.query(VirtualWeir.ORG, (organisation, at) -> at));
        } else {
            now = Math.min(due, now + SECOND);
            settle();
        }
    }

    void close() {
        workers.stopAll();
        shard.close("the test is over");
    }
}
