package dev.weir.simulator;

import static dev.weir.simulator.Violation.unless;

import dev.weir.core.state.Move;
import dev.weir.core.state.RunRow;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a run ends after the runs that it invoked, that chains of invocations are bounded, and that no event or
 * signal is delivered twice.
 */
final class ChildRunCheck {
    private final TraceState tally;
    private final Set<Coverage> seen;
    private final Set<UnitId> emitted = new HashSet<>();
    private final Map<String, NavigableSet<Long>> signals = new HashMap<>();

    ChildRunCheck(TraceState tally, Set<Coverage> seen) {
        this.tally = tally;
        this.seen = seen;
    }

    void accepted(RunRow row) {
        var origin = row.request().origin();
        unless(!tally.runs.containsKey(row.id()), "R0.14", "run %s was accepted twice", row.id());
        int most = row.request().plan().workflow().limits().maxCascadeDepth();
        unless(origin.depth() <= most, "R4.6", "run %s is %s deep, of %s", row.id(), origin.depth(), most);
        if (origin.parent() != null) {
            seen.add(Coverage.INVOKED);
            StepState state = tally.state(origin.parent());
            unless(state == StepState.RUNNING, "S5", "%s is invoked by %s, which is %s", row.id(), origin, state);
        }
        if (origin.retryOf() != null) {
            seen.add(Coverage.RUN_RETRIED);
            RunState old = tally.run(origin.retryOf()).state;
            boolean undone = old == RunState.FAILED || old == RunState.CANCELLED;
            unless(undone, "S10", "%s is tried again as %s, and has %s", origin.retryOf(), row.id(), old);
        }
        if (row.detail().notBefore() > row.acceptedAt()) {
            seen.add(Coverage.START_DELAYED);
        }
        if (!row.request().options().targets().isEmpty()) {
            seen.add(Coverage.TARGETED);
        }
    }

    /**
     * Checks a state change of a run: no delayed run starts too early, and no run ends before the runs that it invoked.
     */
    void moved(Move.RunMoved moved, TraceState.RunFacts run) {
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
            seen.add(Coverage.CASCADE_BOUNDED);
        }
    }

    void stopping(Move.RunStopping stopping) {
        if (stopping.ending().reason().contains("which invoked it")) {
            seen.add(Coverage.CANCEL_INHERITED);
        }
        if (stopping.ending().reason().equals("its deadline has passed")) {
            seen.add(Coverage.DEADLINE_OVER);
        }
    }

    void emitted(UnitId unit) {
        seen.add(Coverage.EMITTED);
        unless(emitted.add(unit), "S6", "%s has emitted its event twice", unit);
    }

    void kept(Move.SignalKept kept) {
        seen.add(Coverage.SIGNAL_KEPT);
        signals.computeIfAbsent(kept.signal().run(), ignored -> new TreeSet<>())
                .add(kept.signal().number());
    }

    /**
     * Checks that a run takes its signals in the order in which they arrived. All signals of the simulation have the
     * same name.
     */
    void taken(Move.SignalTaken taken) {
        seen.add(Coverage.SIGNAL_TAKEN);
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
