package dev.weir.simulator;

import dev.weir.core.admission.Explanation;
import dev.weir.core.admission.LimitSnapshot;
import dev.weir.core.command.Command;
import dev.weir.core.command.Heartbeat;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.run.Organisation;
import dev.weir.core.state.DeadLetter;
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
    private static final int IDLE_CHECK_PERCENT = 25;

    final SplittableRandom random;
    final PromiseChecker checker = new PromiseChecker();
    final Trace trace = new Trace();
    final SimulatedCluster cluster;
    final InboxPrograms programs;
    private final PriorityQueue<Event> eventQueue = new PriorityQueue<>();
    private final Consumer<Fact> listener;
    private long now = SECOND;
    private long skippedTime;
    private long sequence;
    private int events;
    /** The number of facts at the last check of everything that waits. */
    private int factsAtLastCheck;

    private @Nullable RuntimeException failure;

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
    void skipTime(long length) {
        now += length;
        skippedTime += length;
    }

    /** The monotonic clock of the simulated machines, which stands still while they sleep. */
    long monotonicTime() {
        return now - skippedTime;
    }

    void schedule(long delay, Runnable action) {
        eventQueue.add(new Event(now + Math.max(0, delay), sequence++, action));
    }

    /** A random duration between the two, both included, in microseconds. */
    long randomBetween(long least, long most) {
        return least + random.nextLong(most - least + 1);
    }

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    /** Runs events until the given time, or until none is left. An event may call this method too. */
    void runUntil(long until) {
        while (!eventQueue.isEmpty() && eventQueue.element().at <= until) {
            Event event = eventQueue.remove();
            now = Math.max(now, event.at);
            events++;
            Violation.require(events < EVENTS_MAX, "L3", "no rest after %s events", EVENTS_MAX);
            event.action.run();
            cluster.stepNodes();
            if (failure != null) {
                throw failure;
            }
            boolean hasNewFacts = trace.facts() > factsAtLastCheck || chance(IDLE_CHECK_PERCENT);
            if (hasNewFacts && cluster.isSettled()) {
                note(new Fact.Settled(now));
                factsAtLastCheck = trace.facts();
            }
        }
        now = Math.max(now, until);
    }

    void note(Fact fact) {
        trace.add(fact);
        listener.accept(fact);
        checker.observe(fact, this);
        if (fact instanceof Fact.Decided decided
                && decided.move() instanceof Move.DeadLettered dead
                && dead.letter().content().kind() == DeadLetter.Kind.REFUSED_START) {
            programs.checkRefusal(dead.letter());
        }
    }

    /** Notes that something occurred, if it did. */
    void noteCoverage(boolean occurred, Coverage coverage) {
        if (occurred) {
            checker.coverage().add(coverage);
        }
    }

    /** Remembers a broken promise that was found where it cannot be thrown. */
    void recordFailure(RuntimeException exception) {
        if (failure == null) {
            failure = exception;
        }
    }

    /** Sends a command, and repeats it until its outcome is known. */
    void send(Command<?> command) {
        send(command, answer -> {});
    }

    <A> void send(Command<A> command, Consumer<A> onAnswer) {
        cluster.send(shard -> shard.send(SimulatedCluster.ORG, command), answer -> {
            noteAnswer(command, answer);
            onAnswer.accept(answer);
        });
    }

    void start(StartRequest request, Consumer<StartOutcome> onAnswer) {
        cluster.send(shard -> shard.start(SimulatedCluster.ORG, request), answer -> {
            note(new Fact.StartAnswered(request.run(), answer, now));
            if (answer instanceof StartOutcome.Closed) {
                schedule(SECOND, () -> start(request, onAnswer));
            } else {
                onAnswer.accept(answer);
            }
        });
    }

    private void noteAnswer(Command<?> command, @Nullable Object answer) {
        if (command instanceof UpdateStep update && answer instanceof UpdateStep.Answer outcome) {
            note(new Fact.Reported(update.unit(), update.fence(), outcome, now));
        } else if (command instanceof Heartbeat heartbeat && answer instanceof Heartbeat.Answer outcome) {
            note(new Fact.HeartbeatAnswered(heartbeat.unit(), heartbeat.fence(), outcome, now));
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
    public List<PromiseChecker.LimitInUse> inUse() {
        return cluster.memory().limits(now).stream()
                .map(limit -> new PromiseChecker.LimitInUse(
                        limit.limit().text(), limit.used(), limit.holders().size()))
                .toList();
    }

    /** Checks that nothing is allocated when nothing runs. */
    void checkNothingLeaked() {
        Violation.require(
                cluster.usageCorrections() == 0,
                "R0.6",
                "a limit's usage did not follow from the claims: %s",
                cluster.counters.values().lastDifference());
        Organisation org = cluster.memory();
        for (LimitSnapshot limit : org.limits(now)) {
            Violation.require(limit.used() == 0, "L3", "%s of %s are held by nobody", limit.used(), limit.limit());
            Violation.require(
                    limit.totalWaiting() == 0, "L3", "%s wait for %s for ever", limit.totalWaiting(), limit.limit());
        }
    }
}
