package dev.weir.testkit.simulator;

import static dev.weir.testkit.simulator.Violation.unless;

import dev.weir.core.life.Move;
import dev.weir.core.life.RunRow;
import dev.weir.core.life.RunState;
import dev.weir.core.life.StepRow;
import dev.weir.core.life.StepState;
import dev.weir.core.life.UnitId;
import dev.weir.core.life.Update;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Sees that runs end after those that they have invoked, that chains have an end, and that nothing is told twice. */
final class Nesting {
    private final Tally tally;
    private final Set<Kind> seen;
    private final Set<UnitId> emitted = new HashSet<>();
    private final Map<String, NavigableSet<Long>> signals = new HashMap<>();

    Nesting(Tally tally, Set<Kind> seen) {
        this.tally = tally;
        this.seen = seen;
    }

    void accepted(RunRow row) {
        var origin = row.request().origin();
        unless(!tally.runs.containsKey(row.id()), "R0.14", "run %s was accepted twice", row.id());
        int most = row.request().plan().workflow().limits().maxCascadeDepth();
        unless(origin.depth() <= most, "R4.6", "run %s is %s deep, of %s", row.id(), origin.depth(), most);
        if (origin.parent() != null) {
            seen.add(Kind.INVOKED);
            StepState state = tally.state(origin.parent());
            unless(state == StepState.RUNNING, "S5", "%s is invoked by %s, which is %s", row.id(), origin, state);
        }
        if (origin.retryOf() != null) {
            seen.add(Kind.RUN_RETRIED);
            RunState old = tally.run(origin.retryOf()).state;
            boolean undone = old == RunState.FAILED || old == RunState.CANCELLED;
            unless(undone, "S10", "%s is tried again as %s, and has %s", origin.retryOf(), row.id(), old);
        }
        if (row.detail().notBefore() > row.acceptedAt()) {
            seen.add(Kind.START_DELAYED);
        }
        if (!row.request().options().targets().isEmpty()) {
            seen.add(Kind.TARGETED);
        }
    }

    /** A run that was put off, or invoked, comes into another state. */
    void moved(Move.RunMoved moved, Tally.RunFacts run) {
        RunState next = moved.row().state();
        if (next == RunState.RUNNING && !run.holdsPlace) {
            unless(
                    run.notBefore <= moved.at(),
                    "R0.16",
                    "%s was started before its time",
                    moved.row().id());
        }
        if (next.ended()) {
            tally.runs.forEach((id, other) -> unless(
                    other.state.ended()
                            || other.parent == null
                            || !other.parent.run().equals(moved.row().id()),
                    "R1.9",
                    "%s has ended before %s, which it has invoked",
                    moved.row().id(),
                    id));
        }
    }

    void moved(StepRow row, @Nullable StepState from) {
        String child = row.detail().child();
        if (from == StepState.WAITING
                && child != null
                && tally.runs.containsKey(child)
                && row.state().ended()) {
            RunState ended = tally.run(child).state;
            boolean fits = switch (row.state()) {
                case COMPLETED -> ended == RunState.COMPLETED;
                case FAILED, CANCELLED -> ended == RunState.FAILED || ended == RunState.CANCELLED;
                case SKIPPED, BLOCKED, READY, REQUESTED, RUNNING, NEEDS_INPUT, BACKING_OFF, WAITING -> false;
            };
            unless(fits, "R1.9", "%s is %s, and the run that it has invoked is %s", row.id(), row.state(), ended);
        }
        if (row.last() instanceof Update.Failed failed && failed.error().startsWith("cascade_detected")) {
            seen.add(Kind.CASCADE_BOUNDED);
        }
    }

    void stopping(Move.RunStopping stopping) {
        if (stopping.ending().reason().contains("which has invoked it")) {
            seen.add(Kind.CANCEL_INHERITED);
        }
        if (stopping.ending().reason().equals("its deadline is over")) {
            seen.add(Kind.DEADLINE_OVER);
        }
    }

    void emitted(UnitId unit) {
        seen.add(Kind.EMITTED);
        unless(emitted.add(unit), "S6", "%s has emitted its event twice", unit);
    }

    void kept(Move.SignalKept kept) {
        seen.add(Kind.SIGNAL_KEPT);
        signals.computeIfAbsent(kept.signal().run(), ignored -> new TreeSet<>())
                .add(kept.signal().number());
    }

    /** All signals here have one name, so that they must be taken in the order in which they came. */
    void taken(Move.SignalTaken taken) {
        seen.add(Kind.SIGNAL_TAKEN);
        NavigableSet<Long> waiting = signals.getOrDefault(taken.run(), new TreeSet<>());
        Long first = waiting.pollFirst();
        unless(
                first != null && first == taken.number(),
                "R0.16",
                "%s took signal %s, but %s came first",
                taken.run(),
                taken.number(),
                first);
    }
}
