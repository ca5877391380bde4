package dev.weir.testkit.junit;

import dev.weir.core.life.Organisation;
import dev.weir.core.limit.Moment;
import dev.weir.engine.records.Records;
import dev.weir.engine.shard.Counters;
import dev.weir.engine.shard.Shard;
import dev.weir.engine.shard.Site;
import dev.weir.testkit.journal.Faults;
import dev.weir.testkit.journal.MemoryJournal;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** The world of one test: a clock that the test moves, a shard that is turned by hand, and the workers. */
final class Stage {
    /** How often everybody may be asked without time going on. */
    private static final int ROUNDS_MAX = 100_000;

    private static final long SECOND = 1_000_000;
    /** What goes by turn by turn before something is due: so long a loop that stood still spares its claims. */
    private static final long RUN_UP = 12 * SECOND;

    final Records records;
    final Crew crew;
    private final MemoryJournal journal;
    private Shard shard;
    private long now;

    Stage(long begin) {
        this.now = begin;
        this.journal = new MemoryJournal(() -> now, Faults.NONE).with(VirtualWeir.ORG);
        this.records = journal.records();
        this.shard = open();
        this.crew = new Crew(() -> shard, () -> now);
    }

    private Shard open() {
        var site = new Site(journal, "test", () -> now, new Counters());
        return new Shard(site, journal.shardOf(VirtualWeir.ORG));
    }

    /** Lets the node die, and another read everything again; the workers live on. */
    void restart() {
        shard.close("the node has died, as the test wants it");
        shard = open();
        crew.askAgain();
        settle();
    }

    long now() {
        return now;
    }

    /** Asks something of the shard, and lets happen what follows from it now. */
    <A> A ask(Function<Shard, CompletableFuture<A>> question) {
        CompletableFuture<A> answer = question.apply(shard);
        settle();
        if (!answer.isDone()) {
            throw new IllegalStateException("expected an answer by now, found none");
        }
        return answer.join();
    }

    Optional<Organisation> organisation() {
        return shard.find(VirtualWeir.ORG);
    }

    /** Lets everybody do what there is to do at this time. */
    void settle() {
        int rounds = 0;
        do {
            crew.ask();
            turn();
            rounds++;
            if (rounds > ROUNDS_MAX) {
                throw new AssertionError("expected an end of what happens at " + Moment.toInstant(now)
                        + ", found that it goes on for ever: does a handler report without taking time?");
            }
        } while (crew.work());
    }

    private void turn() {
        for (int turns = 0; shard.runOnce() == 0; turns++) {
            if (turns > ROUNDS_MAX) {
                throw new IllegalStateException("expected the shard to rest, found it busy after " + turns + " turns");
            }
        }
    }

    /** Lets time pass. */
    void advanceTo(long end) {
        settle();
        while (now < end) {
            goOn(end);
        }
    }

    /** Goes to where something next happens by itself, but not beyond that time; tells whether it does. */
    boolean advanceOnce(long end) {
        settle();
        if (due() == Moment.NEVER || now >= end) {
            return false;
        }
        goOn(end);
        return true;
    }

    private long due() {
        long untilDue = shard.untilDue();
        return Math.min(crew.next(), untilDue == Moment.NEVER ? Moment.NEVER : Moment.plus(now, untilDue));
    }

    /**
     * Goes on in time. After a loop has stood still claims do not end for a while, so it must not seem to have: while
     * there are claims, and shortly before something is due, it turns every second, as it does in production.
     */
    private void goOn(long end) {
        long due = Math.min(end, due());
        if (!crew.busy() && due - RUN_UP > now) {
            now = due - RUN_UP;
            // A pass, so that the jump is behind it when something is due.
            Long unused = ask(to -> to.look(VirtualWeir.ORG, (organisation, at) -> at));
        } else {
            now = Math.min(due, now + SECOND);
            settle();
        }
    }

    void close() {
        crew.dismiss();
        shard.close("the test is over");
    }
}
