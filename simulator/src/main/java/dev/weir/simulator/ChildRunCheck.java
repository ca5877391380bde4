package dev.weir.simulator;

import static dev.weir.simulator.Violation.require;

import dev.weir.core.definition.WorkflowLimits;
import dev.weir.core.state.Move;
import dev.weir.core.state.RunRequest;
import dev.weir.core.state.RunRow;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import dev.weir.simulator.Requirement.Share;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a run ends after the runs that it invoked, that chains of invocations are bounded, and that no event or
 * signal is delivered twice.
 */
final class ChildRunCheck {
    private final TraceState traceState;
    private final Set<Coverage> coverage;
    private final Set<UnitId> emitted = new HashSet<>();
    private final Map<String, NavigableSet<Long>> signals = new HashMap<>();

    ChildRunCheck(TraceState traceState, Set<Coverage> coverage) {
        this.traceState = traceState;
        this.coverage = coverage;
    }

    void checkAccepted(RunRow row) {
        var origin = row.request().lineage();
        require(!traceState.runs.containsKey(row.id()), "R0.14", "run %s was accepted twice", row.id());
        Integer defined = row.request().plan().workflow().limits().maxCascadeDepth();
        int maxDepth = defined == null ? WorkflowLimits.DEFAULT_CASCADE_DEPTH : defined;
        require(origin.depth() <= maxDepth, "R4.6", "run %s is %s deep, of %s", row.id(), origin.depth(), maxDepth);
        if (origin.parent() != null) {
            coverage.add(Coverage.INVOKED);
            StepState state = traceState.state(origin.parent());
            require(state == StepState.RUNNING, "S5", "%s is invoked by %s, which is %s", row.id(), origin, state);
            checkKeys(row.request(), origin.parent());
        }
        if (origin.retryOf() != null) {
            coverage.add(Coverage.RUN_RETRIED);
            RunState old = traceState.run(origin.retryOf()).state;
            boolean canRetry = old == RunState.FAILED || old == RunState.CANCELLED;
            require(canRetry, "S10", "%s is tried again as %s, and has %s", origin.retryOf(), row.id(), old);
        }
        if (row.detail().notBefore() > row.acceptedAt()) {
            coverage.add(Coverage.START_DELAYED);
        }
        if (!row.request().options().targets().isEmpty()) {
            coverage.add(Coverage.TARGETED);
        }
    }

    /** Checks that an invoked run has the keys of its call site, and never those of the run that invoked it. */
    private void checkKeys(RunRequest request, UnitId invokedBy) {
        List<Share> expected = Requirements.ofInvokedRun(traceState.run(invokedBy.run()), invokedBy);
        List<Share> found = Requirements.ofRequest(request);
        require(
                Objects.equals(found, expected),
                "R3.5",
                "%s has the keys %s, its call site has %s",
                request.run(),
                found,
                expected);
        if (expected != null) {
            coverage.add(Coverage.INVOKED_WITH_KEYS);
        }
    }

    /**
     * Checks a state change of a run: no delayed run starts too early, and no run ends before the runs that it invoked.
     */
    void checkMoved(Move.RunMoved moved, TraceState.RunFacts run) {
        RunState next = moved.row().state();
        if (next == RunState.RUNNING && !run.hasAllocation) {
            require(
                    run.notBefore <= moved.at(),
                    "R0.16",
                    "%s was started before its time",
                    moved.row().id());
        }
        if (next.ended()) {
            traceState.runs.forEach((id, other) -> require(
                    other.state.ended()
                            || other.parent == null
                            || !other.parent.run().equals(moved.row().id()),
                    "R1.9",
                    "%s has ended before %s, which it has invoked",
                    moved.row().id(),
                    id));
        }
    }

    void checkMoved(StepRow row, @Nullable StepState from) {
        String child = row.detail().child();
        if (from == StepState.WAITING
                && child != null
                && traceState.runs.containsKey(child)
                && row.state().ended()) {
            RunState ended = traceState.run(child).state;
            boolean isConsistent = switch (row.state()) {
                case COMPLETED -> ended == RunState.COMPLETED;
                case FAILED, CANCELLED -> ended == RunState.FAILED || ended == RunState.CANCELLED;
                case SKIPPED, BLOCKED, READY, REQUESTED, RUNNING, NEEDS_INPUT, BACKING_OFF, WAITING -> false;
            };
            require(
                    isConsistent,
                    "R1.9",
                    "%s is %s, and the run that it has invoked is %s",
                    row.id(),
                    row.state(),
                    ended);
        }
        if (row.lastOutcome() instanceof Update.Failed failed && failed.error().startsWith("cascade_detected")) {
            coverage.add(Coverage.CASCADE_BOUNDED);
        }
    }

    void noteStopping(Move.RunStopping stopping) {
        if (stopping.ending().reason().contains("which invoked it")) {
            coverage.add(Coverage.CANCEL_INHERITED);
        }
        if (stopping.ending().reason().equals("its deadline has passed")) {
            coverage.add(Coverage.DEADLINE_PASSED);
        }
    }

    void checkEvent(Move.OfEvent move) {
        if (move instanceof Move.EventReceived received && received.event().emittedBy() != null) {
            checkEmitted(received.event().emittedBy());
        }
    }

    private void checkEmitted(UnitId unit) {
        coverage.add(Coverage.EMITTED);
        require(emitted.add(unit), "S6", "%s has emitted its event twice", unit);
    }

    void noteSignalKept(Move.SignalKept kept) {
        coverage.add(Coverage.SIGNAL_KEPT);
        signals.computeIfAbsent(kept.signal().run(), ignored -> new TreeSet<>())
                .add(kept.signal().number());
    }

    /**
     * Checks that a run takes its signals in the order in which they arrived. All signals of the simulation have the
     * same name.
     */
    void checkSignalTaken(Move.SignalTaken taken) {
        coverage.add(Coverage.SIGNAL_TAKEN);
        NavigableSet<Long> waiting = signals.getOrDefault(taken.run(), new TreeSet<>());
        Long first = waiting.pollFirst();
        require(
                first != null && first == taken.number(),
                "R0.16",
                "%s took signal %s, but %s came first",
                taken.run(),
                taken.number(),
                first);
    }
}
