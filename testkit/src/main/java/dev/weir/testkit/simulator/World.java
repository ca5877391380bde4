package dev.weir.testkit.simulator;

import dev.weir.core.admission.Explanation;
import dev.weir.core.admission.LimitView;
import dev.weir.core.life.Command;
import dev.weir.core.life.Heartbeat;
import dev.weir.core.life.Move;
import dev.weir.core.life.Organisation;
import dev.weir.core.life.UnitId;
import dev.weir.core.life.UpdateStep;
import dev.weir.engine.StartAnswer;
import dev.weir.engine.StartRequest;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Virtual time: what is due happens in order, and every message goes through the production loop and rules. */
final class World implements Checker.Engine {
    static final long SECOND = 1_000_000;

    /** Events after which a world that has not come to rest is given up. */
    private static final int EVENTS_MAX = 200_000;

    /** How often all who wait are looked at although nothing is new but the time, in percent. */
    private static final int UNASKED = 25;

    final SplittableRandom random;
    final Checker checker = new Checker();
    final Trace trace = new Trace();
    final Cluster cluster;
    final Programs programs;
    private final PriorityQueue<Event> due = new PriorityQueue<>();
    private final Consumer<Fact> listener;
    private long now = SECOND;
    private long skipped;
    private long sequence;
    private int events;
    /** How many facts there were when all who wait were last looked at. */
    private int settledAt;

    private @Nullable RuntimeException broken;

    private record Event(long at, long sequence, Runnable action) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(sequence, other.sequence);
        }
    }

    /** The listener is told every fact. */
    World(SplittableRandom random, Consumer<Fact> listener) {
        this.random = random;
        this.listener = listener;
        this.cluster = new Cluster(this);
        this.programs = new Programs(this);
    }

    long now() {
        return now;
    }

    /** Time passes, and nothing happens: what should have happens afterwards. */
    void skip(long length) {
        now += length;
        skipped += length;
    }

    /** A clock of machines, which stands still while they sleep. */
    long ticks() {
        return now - skipped;
    }

    void later(long delay, Runnable action) {
        due.add(new Event(now + Math.max(0, delay), sequence++, action));
    }

    /** A time between the two, in microseconds. */
    long between(long least, long most) {
        return least + random.nextLong(most - least + 1);
    }

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    /** Lets things happen until the given time, or until nothing more can. Something that happens may call this too. */
    void runUntil(long until) {
        while (!due.isEmpty() && due.element().at <= until) {
            Event event = due.remove();
            now = Math.max(now, event.at);
            events++;
            Violation.unless(events < EVENTS_MAX, "L3", "no rest after %s events", EVENTS_MAX);
            event.action.run();
            cluster.turn();
            if (broken != null) {
                throw broken;
            }
            boolean news = trace.facts() > settledAt || chance(UNASKED);
            if (news && cluster.settled()) {
                note(new Fact.Settled(now));
                settledAt = trace.facts();
            }
        }
        now = Math.max(now, until);
    }

    void note(Fact fact) {
        trace.add(fact);
        listener.accept(fact);
        checker.see(fact, this);
        if (fact instanceof Fact.Decided decided && decided.move() instanceof Move.StartRefused refused) {
            programs.see(refused);
        }
    }

    /** Notes that something occurred, if it did. */
    void saw(boolean occurred, Kind kind) {
        if (occurred) {
            checker.seen().add(kind);
        }
    }

    /** Remembers a broken promise that was found where it cannot be thrown. */
    void breaks(RuntimeException promise) {
        if (broken == null) {
            broken = promise;
        }
    }

    /** Sends a command, and again as long as nobody knows what became of it. */
    void send(Command<?> command) {
        send(command, answer -> {});
    }

    <A> void send(Command<A> command, Consumer<A> then) {
        cluster.ask(shard -> shard.send(Cluster.ORG, command), answer -> {
            noteAnswer(command, answer);
            then.accept(answer);
        });
    }

    void start(StartRequest request, Consumer<StartAnswer> then) {
        cluster.ask(shard -> shard.start(Cluster.ORG, request), answer -> {
            note(new Fact.StartAnswered(request.run(), answer, now));
            then.accept(answer);
        });
    }

    private void noteAnswer(Command<?> command, @Nullable Object answer) {
        if (command instanceof UpdateStep update && answer instanceof UpdateStep.Answer told) {
            note(new Fact.Reported(update.unit(), update.fence(), told, now));
        } else if (command instanceof Heartbeat heartbeat && answer instanceof Heartbeat.Answer told) {
            note(new Fact.Beaten(heartbeat.unit(), heartbeat.fence(), told, now));
        }
    }

    @Override
    public @Nullable UnitId reserver() {
        return cluster.memory().reserver().orElse(null);
    }

    @Override
    public @Nullable Explanation why(UnitId unit) {
        return cluster.memory().why(unit, now).orElse(null);
    }

    @Override
    public @Nullable Explanation why(String run) {
        return cluster.memory().why(run, now).orElse(null);
    }

    /** Nothing may be held when nothing runs. */
    void checkNothingLeaked() {
        Organisation org = cluster.memory();
        for (LimitView limit : org.limits(now)) {
            Violation.unless(limit.used() == 0, "L3", "%s of %s are held by nobody", limit.used(), limit.limit());
            Violation.unless(limit.waiting() == 0, "L3", "%s wait for %s for ever", limit.waiting(), limit.limit());
        }
    }
}
