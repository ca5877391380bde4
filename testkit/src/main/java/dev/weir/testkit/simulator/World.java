package dev.weir.testkit.simulator;

import dev.weir.core.admission.Explanation;
import dev.weir.core.admission.LimitView;
import dev.weir.core.life.Advance;
import dev.weir.core.life.Command;
import dev.weir.core.life.Decision;
import dev.weir.core.life.Heartbeat;
import dev.weir.core.life.Ledger;
import dev.weir.core.life.Move;
import dev.weir.core.life.Organisation;
import dev.weir.core.life.Rows;
import dev.weir.core.life.UnitId;
import dev.weir.core.life.UpdateStep;
import dev.weir.core.limit.Moment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One organisation in virtual time: what is due happens in order, every message goes through the production rules. */
final class World implements Checker.Engine {
    static final long SECOND = 1_000_000;

    /** Events after which a world that has not come to rest is given up. */
    private static final int EVENTS_MAX = 60_000;

    final SplittableRandom random;
    final Checker checker = new Checker();
    final Trace trace = new Trace();
    private final PriorityQueue<Event> due = new PriorityQueue<>();
    private final Map<String, Consumer<Advance.Served>> waiters = new HashMap<>();
    private Organisation org = new Organisation();
    private final Ledger rows = new Ledger();
    private long now = SECOND;
    private long sequence;
    private long nextWake = Moment.NEVER;
    private int events;

    private record Event(long at, long sequence, Runnable action) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(sequence, other.sequence);
        }
    }

    private final Consumer<Fact> listener;

    /** The listener is told every fact. */
    World(SplittableRandom random, Consumer<Fact> listener) {
        this.random = random;
        this.listener = listener;
    }

    long now() {
        return now;
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

    /** Lets things happen until the given time, or until nothing more can. */
    void runUntil(long until) {
        while (!due.isEmpty() && due.element().at <= until) {
            Event event = due.remove();
            now = Math.max(now, event.at);
            events++;
            Violation.unless(events < EVENTS_MAX, "L3", "no rest after %s events", EVENTS_MAX);
            event.action.run();
            settle();
        }
        now = Math.max(now, until);
    }

    void note(Fact fact) {
        trace.add(fact);
        listener.accept(fact);
        checker.see(fact, this);
    }

    /** Sends a command; its moves go to the trace. */
    <A> A send(Command<A> command) {
        Decision<A> decision = org.handle(command, now);
        noteAnswer(command, decision.answer());
        noteAll(decision.moves());
        return decision.answer();
    }

    private void noteAnswer(Command<?> command, Object answer) {
        if (command instanceof UpdateStep update && answer instanceof UpdateStep.Answer told) {
            note(new Fact.Reported(update.unit(), update.fence(), told, now));
        } else if (command instanceof Heartbeat heartbeat && answer instanceof Heartbeat.Answer told) {
            note(new Fact.Beaten(heartbeat.unit(), heartbeat.fence(), told, now));
        }
    }

    private void noteAll(List<Move> moves) {
        rows.apply(moves);
        for (Move move : moves) {
            note(new Fact.Decided(move));
        }
    }

    void pollOpened(String request, Set<String> modules, Consumer<Advance.Served> waiter) {
        waiters.put(request, waiter);
        note(new Fact.PollOpened(request, modules, now));
    }

    void pollEnded(String request) {
        if (waiters.remove(request) != null) {
            note(new Fact.PollEnded(request, now));
        }
    }

    private void settle() {
        Advance advance = org.advance(now);
        noteAll(advance.moves());
        for (Advance.Served served : advance.served()) {
            Consumer<Advance.Served> waiter = waiters.get(served.request());
            pollEnded(served.request());
            if (waiter != null) {
                waiter.accept(served);
            }
        }
        long wake = org.nextWakeup();
        if (wake > now) {
            note(new Fact.Settled(now));
        }
        if (wake != Moment.NEVER && (wake < nextWake || nextWake <= now)) {
            nextWake = wake;
            later(wake - now, () -> {});
        }
    }

    /** Throws the memory away and builds it again from the rows; polls are lost with it. */
    void rebuild() {
        Organisation lived = org;
        Rows kept = rows.rows(now);
        org = Organisation.restore(kept, now);
        Rows known = kept.withStarts(List.of());
        Violation.unless(lived.rows().equals(known), "S7", "the rows do not say what was lived: %s, %s", kept, lived);
        Violation.unless(org.rows().equals(known), "S7", "what was rebuilt is not what the rows say: %s", kept);
        List<String> usage = usage(lived);
        Violation.unless(usage.equals(usage(org)), "S7", "lived %s, rebuilt %s", usage, usage(org));
        for (String request : List.copyOf(waiters.keySet())) {
            pollEnded(request);
        }
        nextWake = Moment.NEVER;
        note(new Fact.Rebuilt(now));
    }

    /** What limits have in use, of those that would be missed. */
    private List<String> usage(Organisation known) {
        List<String> usage = new ArrayList<>();
        for (LimitView limit : known.limits(now)) {
            boolean missed = limit.used() > 0 || limit.waiting() > 0 || limit.paused() || limit.pin() != null;
            if (missed) {
                usage.add("%s: %s used by %s, %s wait, paused %s, %s"
                        .formatted(
                                limit.limit(),
                                limit.used(),
                                limit.holders(),
                                limit.waiting(),
                                limit.paused(),
                                limit.pin()));
            }
        }
        return usage;
    }

    @Override
    public @Nullable UnitId reserver() {
        return org.reserver().orElse(null);
    }

    @Override
    public @Nullable Explanation why(UnitId unit) {
        return org.why(unit, now).orElse(null);
    }

    /** Nothing may be held when nothing runs. */
    void checkNothingLeaked() {
        for (LimitView limit : org.limits(now)) {
            Violation.unless(limit.used() == 0, "L3", "%s of %s are held by nobody", limit.used(), limit.limit());
            Violation.unless(limit.waiting() == 0, "L3", "%s wait for %s for ever", limit.waiting(), limit.limit());
        }
    }
}
