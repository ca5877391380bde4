package dev.weir.simulator;

import dev.weir.core.admission.Explanation;
import dev.weir.core.admission.LimitSnapshot;
import dev.weir.core.command.Command;
import dev.weir.core.command.Heartbeat;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.run.Organisation;
import dev.weir.core.state.Move;
import dev.weir.core.state.UnitId;
import dev.weir.engine.request.StartOutcome;
import dev.weir.engine.request.StartRequest;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time: runs scheduled events in order. Every message goes through the production loop and the production
 * rules.
 */
final class SimulatedWorld implements PromiseChecker.Engine {
    static final long SECOND = 1_000_000;

    /** The number of events after which a world that has not come to rest is given up. */
    private static final int EVENTS_MAX = 200_000;

    /** The chance, in percent, to check everything that waits although only time has passed. */
    private static final int UNASKED = 25;

    final SplittableRandom random;
    final PromiseChecker checker = new PromiseChecker();
    final Trace trace = new Trace();
    final SimulatedCluster cluster;
    final InboxPrograms programs;
    private final PriorityQueue<Event> due = new PriorityQueue<>();
    private final Consumer<Fact> listener;
    private long now = SECOND;
    private long skipped;
    private long sequence;
    private int events;
    /** The number of facts at the last check of everything that waits. */
    private int settledAt;

    private @Nullable RuntimeException broken;

    private record Event(long at, long sequence, Runnable action) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(sequence, other.sequence);
        }
    }

    /** Creates a world. The listener receives every fact. */
    SimulatedWorld(SplittableRandom random, Consumer<Fact> listener) {
        this.random = random;
        this.listener = listener;
        this.cluster = new SimulatedCluster(this);
        this.programs = new InboxPrograms(this);
    }

    long now() {
        return now;
    }

    /** Lets time pass without running any event. Events that became due run afterwards. */
    void skip(long length) {
        now += length;
        skipped += length;
    }

    /** The monotonic clock of the simulated machines, which stands still while they sleep. */
    long ticks() {
        return now - skipped;
    }

    void later(long delay, Runnable action) {
        due.add(new Event(now + Math.max(0, delay), sequence++, action));
    }

    /** A random duration between the two, both included, in microseconds. */
    long between(long least, long most) {
        return least + random.nextLong(most - least + 1);
    }

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    /** Runs events until the given time, or until none is left. An event may call this method too. */
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
    void saw(boolean occurred, Coverage kind) {
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

    /** Sends a command, and repeats it until its outcome is known. */
    void send(Command<?> command) {
        send(command, answer -> {});
    }

    <A> void send(Command<A> command, Consumer<A> then) {
        cluster.ask(shard -> shard.send(SimulatedCluster.ORG, command), answer -> {
            noteAnswer(command, answer);
            then.accept(answer);
        });
    }

    void start(StartRequest request, Consumer<StartOutcome> then) {
        cluster.ask(shard -> shard.start(SimulatedCluster.ORG, request), answer -> {
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
    public List<UnitId> windowReservers() {
        return cluster.memory().windowReservers();
    }

    @Override
    public @Nullable Explanation why(UnitId unit) {
        return cluster.memory().why(unit, now).orElse(null);
    }

    @Override
    public @Nullable Explanation why(String run) {
        return cluster.memory().why(run, now).orElse(null);
    }

    @Override
    public List<PromiseChecker.InUse> inUse() {
        return cluster.memory().limits(now).stream()
                .map(limit -> new PromiseChecker.InUse(
                        limit.limit().text(), limit.used(), limit.holders().size()))
                .toList();
    }

    /** Checks that nothing is allocated when nothing runs. */
    void checkNothingLeaked() {
        Violation.unless(
                cluster.usageCorrections() == 0,
                "R0.6",
                "a limit's usage did not follow from the claims: %s",
                cluster.counters.figures().lastDifference());
        Organisation org = cluster.memory();
        for (LimitSnapshot limit : org.limits(now)) {
            Violation.unless(limit.used() == 0, "L3", "%s of %s are held by nobody", limit.used(), limit.limit());
            Violation.unless(limit.asking() == 0, "L3", "%s wait for %s for ever", limit.asking(), limit.limit());
        }
    }
}
