package dev.weir.simulator;

import static dev.weir.simulator.Violation.require;

import dev.weir.core.state.Move;
import dev.weir.core.state.RunState;
import dev.weir.simulator.TraceState.RunFacts;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;

/**
 * Checks the deferral of runs: a run is held only while a limit refuses it, is marked as held once, and no queued run
 * that a limit refuses stays unmarked.
 */
final class DeferralCheck {
    /** Stops of a run that are no limits, so a mark has nothing to name and no time of the next check. */
    private static final Set<Coverage> STOPS = EnumSet.of(Coverage.RUN_PAUSED, Coverage.SUSPENDED);

    private final TraceState traceState;
    private final LimitReference limitReference;
    private final Set<Coverage> coverage;
    private final Set<String> held = new HashSet<>();

    DeferralCheck(TraceState traceState, LimitReference limitReference, Set<Coverage> coverage) {
        this.traceState = traceState;
        this.limitReference = limitReference;
        this.coverage = coverage;
    }

    void checkHeld(Move.RunHeld move) {
        coverage.add(Coverage.RUN_DEFERRED);
        RunFacts run = traceState.run(move.run());
        require(held.add(move.run()), "R4.3", "%s was marked as held twice", move.run());
        require(
                run.state == RunState.QUEUED && !run.hasAllocation,
                "R4.3",
                "%s was held, and is %s",
                move.run(),
                run.state);
        require(
                move.until() >= move.at(),
                "R4.3",
                "%s is held until %s, before %s",
                move.run(),
                move.until(),
                move.at());
        require(isRefused(run, move.at()), "R4.3", "%s was held, but nothing refuses it", move.run());
    }

    /** True if a limit that runs share refuses the run. */
    private boolean isRefused(RunFacts run, long now) {
        Set<Coverage> refusals = limitReference.runRefusals(run, now);
        refusals.removeAll(STOPS);
        return !refusals.isEmpty();
    }

    /** Checks that each queued run that a limit refuses is marked as held. */
    void checkSettled(long now) {
        traceState.runs.forEach((id, run) -> require(
                run.state != RunState.QUEUED || run.notBefore > now || held.contains(id) || !isRefused(run, now),
                "R4.3",
                "a limit refuses %s, which was never marked as held",
                id));
    }
}
