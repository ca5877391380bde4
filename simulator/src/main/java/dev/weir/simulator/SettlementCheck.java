package dev.weir.simulator;

import static dev.weir.simulator.Violation.require;

import dev.weir.core.admission.Explanation;
import dev.weir.core.plan.BuiltInModule;
import dev.weir.core.state.RunState;
import dev.weir.core.state.UnitId;
import dev.weir.simulator.TraceState.UnitFacts;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks the promises that must hold whenever the engine has nothing left to do, and at the end of a simulation. */
final class SettlementCheck {
    /** The number of settlements between two queries to the engine about usage and wait reasons. */
    private static final int SETTLEMENTS_PER_QUERY = 5;

    private final TraceState traceState;
    private final LimitReference limitReference;
    private final Set<Coverage> coverage;
    private long settlements;

    SettlementCheck(TraceState traceState, LimitReference limitReference, Set<Coverage> coverage) {
        this.traceState = traceState;
        this.limitReference = limitReference;
        this.coverage = coverage;
    }

    /**
     * Checks that only live claims and started runs have allocations: no ticket that waits, and nothing that has ended.
     */
    private void checkUsage(PromiseChecker.LimitInUse usage) {
        String limit = usage.limit();
        long holders = traceState.holders(limit);
        require(
                usage.holders() <= holders,
                "L3",
                "%s is held by %s, and %s of them live",
                limit,
                usage.holders(),
                holders);
        long held = traceState.allocated(limit);
        require(
                usage.used() <= held,
                "S4",
                "%s of %s is in use, and those who were granted it hold %s",
                usage.used(),
                limit,
                held);
    }

    /** Checks everything that waits: none of it may be able to start, and each must have a reason. */
    void checkSettled(long now, PromiseChecker.Engine engine) {
        settlements++;
        if (settlements % SETTLEMENTS_PER_QUERY == 0) {
            engine.inUse().forEach(this::checkUsage);
        }
        LimitReference.Reservations reservations = reserved(engine);
        Set<String> polled = new HashSet<>();
        traceState.polls.values().forEach(polled::addAll);
        for (var entry : traceState.units.entrySet()) {
            UnitFacts unit = entry.getValue();
            if (unit.requirement != null && traceState.isWaitingToStart(entry.getKey(), unit)) {
                String module = unit.requirement.module();
                boolean served = polled.contains(module) || BuiltInModule.isBuiltIn(module);
                Set<Coverage> refusals = limitReference.refusals(entry.getKey(), unit.requirement, reservations, now);
                coverage.addAll(refusals);
                boolean canStart = served && refusals.isEmpty();
                require(
                        !canStart,
                        "L7",
                        "%s could start at %s, and waits: %s",
                        entry.getKey(),
                        now,
                        canStart ? engine.why(entry.getKey()) : null);
                if (settlements % SETTLEMENTS_PER_QUERY == 0
                        && !refusals.isEmpty()
                        && !traceState.pauses.isSuspended()) {
                    requireReason(entry.getKey(), engine.why(entry.getKey()));
                }
            }
        }
        for (var entry : traceState.runs.entrySet()) {
            if (entry.getValue().state == RunState.QUEUED && entry.getValue().notBefore <= now) {
                Set<Coverage> refusals = limitReference.runRefusals(entry.getValue(), now);
                coverage.addAll(refusals);
                boolean canStart = refusals.isEmpty();
                Explanation why = canStart ? engine.why(entry.getKey()) : null;
                require(!canStart, "L7", "run %s could start at %s, and waits: %s", entry.getKey(), now, why);
            }
        }
    }

    private static void requireReason(UnitId unit, @Nullable Explanation why) {
        require(why != null && !why.blockers().isEmpty(), "L6", "%s waits, and nothing says why", unit);
    }

    private LimitReference.Reservations reserved(PromiseChecker.Engine engine) {
        List<LimitReference.Reservation> windows = engine.windowReservers().stream()
                .map(this::reserved)
                .filter(Objects::nonNull)
                .toList();
        return new LimitReference.Reservations(reserved(engine.reserver()), windows);
    }

    private LimitReference.@Nullable Reservation reserved(@Nullable UnitId reserver) {
        UnitFacts unit = reserver == null ? null : traceState.units.get(reserver);
        return reserver == null || unit == null || unit.requirement == null
                ? null
                : new LimitReference.Reservation(reserver, unit.requirement);
    }

    void checkDrained(long now, PromiseChecker.Engine engine) {
        require(
                traceState.liveClaims.isEmpty(),
                "L3",
                "still claimed after draining: %s",
                traceState.liveClaims.keySet());
        traceState.units.forEach((id, unit) -> require(
                unit.state.ended(),
                "R3.3",
                "%s has not ended: %s, asks for %s, why %s",
                id,
                unit.state,
                unit.requirement,
                engine.why(id)));
        traceState.runs.forEach((id, run) -> require(
                run.state.ended(),
                "R3.3",
                "run %s has not ended: %s, refused by %s",
                id,
                run.state,
                limitReference.runRefusals(run, now)));
    }
}
