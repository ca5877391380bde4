package dev.weir.simulator;

import static dev.weir.simulator.Violation.require;

import dev.weir.core.admission.Explanation;
import dev.weir.core.state.AuditEntry;
import dev.weir.core.state.AuditHead;
import dev.weir.core.state.Claim;
import dev.weir.core.state.Move;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.simulator.TraceState.RunFacts;
import dev.weir.simulator.TraceState.UnitFacts;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a trace and finds broken promises. */
final class PromiseChecker {
    private final TraceState traceState = new TraceState();
    private final LimitReference limitReference = new LimitReference(traceState);
    private final Set<Coverage> coverage = EnumSet.noneOf(Coverage.class);
    private final Set<String> startedWork = new HashSet<>();
    private final Map<UnitId, Long> newestFence = new HashMap<>();
    private final CompensationCheck compensations = new CompensationCheck();
    private final ChildRunCheck childRuns = new ChildRunCheck(traceState, coverage);
    private final EventCheck events = new EventCheck(coverage);
    private final ResponseCheck responses = new ResponseCheck(traceState, coverage);
    private final AttentionCheck attention =
            new AttentionCheck(traceState, limitReference, coverage, SimulatedNode.NOTICES.lowFor());
    private final DeferralCheck deferrals = new DeferralCheck(traceState, limitReference, coverage);
    private final LeaseCheck leases = new LeaseCheck(traceState);
    private final SettlementCheck settlements = new SettlementCheck(traceState, limitReference, coverage);
    /** Claims whose rows the simulation has removed. */
    private AuditHead auditHead = AuditHead.EMPTY;

    private final Set<String> removedRows = new HashSet<>();
    /**
     * Units whose claims were extended although their rows are gone. Such a claim must end before the next settlement.
     */
    private final Set<UnitId> extendedWithoutRow = new HashSet<>();

    /** Questions that only the engine itself can answer. */
    interface Engine {
        /** The unit for which capacity is reserved, if any. */
        @Nullable
        UnitId reserver();

        /** The units for which space in the windows of rates is reserved, oldest first. */
        List<UnitId> windowReservers();

        @Nullable
        Explanation why(UnitId unit);

        @Nullable
        Explanation why(String run);

        /** The usage of each shared limit. */
        List<LimitInUse> inUse();
    }

    /** The used amount of a shared limit, and the number of allocations that make it up. */
    record LimitInUse(String limit, long used, int holders) {}

    Set<Coverage> coverage() {
        return coverage;
    }

    /** The failed runs with open dead letters, by number. */
    NavigableMap<Long, String> openDeadLetters() {
        return attention.openLetters();
    }

    EventCheck events() {
        return events;
    }

    TraceState traceState() {
        return traceState;
    }

    void observe(Fact fact, Engine engine) {
        switch (fact) {
            case Fact.Decided decided -> {
                traceState.expire(decided.at());
                leases.noteDecision(decided.at());
                check(decided.move());
                traceState.apply(decided.move());
                noteApplied(decided.move());
            }
            case Fact.PollOpened opened -> traceState.polls.put(opened.request(), opened.modules());
            case Fact.PollEnded ended -> traceState.polls.remove(ended.request());
            case Fact.Reported reported -> responses.checkReport(reported);
            case Fact.HeartbeatAnswered beaten -> responses.checkHeartbeat(beaten);
            case Fact.WorkStarted started -> checkWorkStarted(started);
            case Fact.StartAnswered answered -> responses.checkStart(answered);
            case Fact.RowRemoved removed -> {
                removedRows.add(removed.unit() + "#" + removed.fence());
                traceState.removeClaim(removed.unit());
            }
            case Fact.WorkersUnreachable unheard -> leases.noteGap(unheard);
            case Fact.Settled settled -> {
                traceState.expire(settled.at());
                leases.checkSettled(settled.at());
                require(extendedWithoutRow.isEmpty(), "S6", "%s were extended, and have no row", extendedWithoutRow);
                settlements.checkSettled(settled.at(), engine);
                attention.checkSettled();
                deferrals.checkSettled(settled.at());
            }
            case Fact.Rebuilt ignored -> coverage.add(Coverage.REBUILT);
            case Fact.FaultsOff ignored -> {}
            case Fact.Drained drained -> settlements.checkDrained(drained.at(), engine);
        }
    }

    /** Notes a move that the trace contains now. */
    private void noteApplied(Move move) {
        if (move instanceof Move.Granted granted) {
            UnitId unit = granted.claim().unit();
            Requirement requirement = traceState.allocations.get(unit);
            if (requirement != null) {
                attention.noteGranted(unit, requirement, granted.at());
            }
        }
    }

    private void check(Move move) {
        switch (move) {
            case Move.Granted granted -> checkGranted(granted);
            case Move.Released released -> checkReleased(released);
            case Move.RunMoved moved -> checkRunMoved(moved);
            case Move.StepMoved moved -> checkStepMoved(moved);
            case Move.FenceRaised ignored -> {}
            case Move.ListeningRecorded ignored -> {}
            case Move.Extended extended -> checkExtended(extended);
            case Move.Resumed resumed -> checkResumed(resumed);
            case Move.RunOverridden ignored -> coverage.add(Coverage.RUN_OVERRIDDEN);
            case Move.KeyPinned ignored -> coverage.add(Coverage.KEY_PINNED);
            case Move.KeyPaused ignored -> coverage.add(Coverage.KEY_PAUSED);
            case Move.RateReset ignored -> coverage.add(Coverage.RATE_RESET);
            case Move.RunHeld held -> deferrals.checkHeld(held);
            case Move.RunStopping stopping -> {
                childRuns.noteStopping(stopping);
                if (stopping.ending().finalState() == RunState.CANCELLED) {
                    coverage.add(Coverage.CANCELLED);
                }
            }
            case Move.RunAccepted accepted -> {
                childRuns.checkAccepted(accepted.row());
                events.noteAccepted(accepted.row());
            }
            case Move.StepPutAhead ignored -> {}
            case Move.OutputAmended ignored -> {}
            case Move.SignalKept reservations -> childRuns.noteSignalKept(reservations);
            case Move.SignalTaken taken -> childRuns.checkSignalTaken(taken);
            case Move.DeadlineNear ignored -> coverage.add(Coverage.DEADLINE_NEAR);
            case Move.KeyHeld ignored -> coverage.add(Coverage.KEY_HELD);
            case Move.OfEvent event -> {
                childRuns.checkEvent(event);
                events.check(event);
            }
            case Move.RunChanged ignored -> {}
            case Move.StepChanged ignored -> {}
            case Move.ItemCreated ignored -> {}
            case Move.KeyUnpinned ignored -> {}
            case Move.RunLimitsConfigured ignored -> coverage.add(Coverage.RUN_LIMIT_OPERATED);
            case Move.KeyResumed ignored -> {}
            case Move.WorkflowRegistered ignored -> {}
            case Move.ModuleRegistered ignored -> {}
            case Move.OfAttention change -> attention.check(change);
            case Move.Audited audited -> checkAudited(audited.entry());
            case Move.OfAccess ignored -> {}
            case Move.SuspensionChanged ignored -> coverage.add(Coverage.SUSPENDED);
            case Move.AvailabilityChanged ignored -> coverage.add(Coverage.WORKFLOW_PAUSED);
        }
    }

    private void checkGranted(Move.Granted granted) {
        Claim claim = granted.claim();
        UnitFacts unit = traceState.units.get(claim.unit());
        require(
                unit != null && traceState.isWaitingToStart(claim.unit(), unit),
                "S5",
                "%s was granted without having waited",
                claim.unit());
        require(
                !traceState.liveClaims.containsKey(claim.unit()),
                "S4",
                "%s was granted while it is claimed",
                claim.unit());
        requireGrowingFence(claim);
        compensations.checkGranted(claim.unit(), traceState.run(claim.unit()));
        require(
                traceState.run(claim.unit()).isTargeted(claim.unit()),
                "R2.13",
                "%s was granted, not wanted",
                claim.unit());
        require(!traceState.run(claim.unit()).state.ended(), "S10", "%s was granted after its run", claim.unit());
        Requirement required = traceState.requirement(claim.unit());
        requireAllocation(claim.unit(), Requirement.recorded(claim.limitNeeds()), required);
        Set<Coverage> refusals =
                limitReference.refusals(claim.unit(), required, LimitReference.Reservations.NONE, granted.at());
        String promise = LimitReference.brokenPromise(refusals);
        require(refusals.isEmpty(), promise, "%s was granted at %s against %s", claim.unit(), granted.at(), refusals);
    }

    /** Checks that an allocation is what the definition says. */
    private static void requireAllocation(Object who, Requirement recorded, Requirement required) {
        require(recorded.equals(required), "S4", "%s holds %s, its definition says %s", who, recorded, required);
    }

    private void requireGrowingFence(Claim claim) {
        long newest = newestFence.getOrDefault(claim.unit(), 0L);
        require(claim.fence() > newest, "S8", "%s: fence %s after %s", claim.unit(), claim.fence(), newest);
        newestFence.put(claim.unit(), claim.fence());
    }

    /** Checks a unit that continues without a new admission: it must have kept its claim and its allocation. */
    private void checkResumed(Move.Resumed resumed) {
        coverage.add(Coverage.RESUMED);
        Claim claim = resumed.claim();
        requireGrowingFence(claim);
        Claim before = traceState.liveClaims.get(claim.unit());
        UnitFacts unit = traceState.units.get(claim.unit());
        boolean waited = unit != null && unit.state == StepState.NEEDS_INPUT;
        if (before == null && removedRows.contains(claim.unit() + "#" + resumed.replacedFence())) {
            return;
        }
        require(waited && before != null, "S5", "%s goes on, but did not wait for input", claim.unit());
        require(
                before != null && before.limitNeeds().equals(claim.limitNeeds()),
                "S4",
                "%s holds something else",
                claim.unit());
    }

    private void checkExtended(Move.Extended extended) {
        requireLive(extended.unit(), extended.fence(), "extended");
        if (!traceState.liveClaims.containsKey(extended.unit())) {
            extendedWithoutRow.add(extended.unit());
        }
        responses.noteExtension(extended.unit(), extended.fence());
    }

    private void checkReleased(Move.Released released) {
        requireLive(released.unit(), released.fence(), "released");
        extendedWithoutRow.remove(released.unit());
        leases.checkReleased(released);
        switch (released.cause()) {
            case EXPIRED -> coverage.add(Coverage.LEASE_EXPIRED);
            case TIMED_OUT -> coverage.add(Coverage.TIMED_OUT);
            case REPORTED -> responses.noteReport(released.unit(), released.fence());
            case CANCELLED -> {}
        }
    }

    /** Checks that a claim is live, unless its row was removed and the engine does not know that yet. */
    private void requireLive(UnitId unit, long fence, String what) {
        Claim claim = traceState.liveClaims.get(unit);
        require(
                (claim != null && claim.fence() == fence) || removedRows.contains(unit + "#" + fence),
                "S6",
                "%s fence %s was %s, but %s",
                unit,
                fence,
                what,
                claim);
    }

    private void checkRunMoved(Move.RunMoved moved) {
        RunFacts run = traceState.run(moved.row().id());
        require(
                run.state == moved.from(),
                "S10",
                "%s came from %s, not %s",
                moved.row().id(),
                run.state,
                moved.from());
        require(!run.state.ended(), "S10", "%s had ended as %s", moved.row().id(), run.state);
        childRuns.checkMoved(moved, run);
        attention.noteMoved(moved);
        RunState next = moved.row().state();
        if (next == RunState.COMPENSATING) {
            coverage.add(Coverage.COMPENSATED);
        }
        if (next.ended()) {
            compensations.checkEnded(moved.row().id(), run.state == RunState.COMPENSATING);
        }
        if (next == RunState.PAUSED) {
            coverage.add(Coverage.RUN_PAUSED);
        }
        if (next == RunState.RUNNING && !run.hasAllocation) {
            requireAllocation(moved.row().id(), Requirement.recorded(moved.row().limitNeeds()), run.requirement);
            Set<Coverage> refusals = limitReference.runRefusals(run, moved.at());
            require(
                    refusals.isEmpty(),
                    LimitReference.brokenPromise(refusals),
                    "%s was started at %s against %s",
                    moved.row().id(),
                    moved.at(),
                    refusals);
        }
        if (next.ended()) {
            require(
                    run.running.isEmpty(),
                    "L3",
                    "%s has ended, and %s are claimed",
                    moved.row().id(),
                    run.running);
        }
    }

    private void checkStepMoved(Move.StepMoved moved) {
        compensations.checkMoved(moved.row(), traceState.run(moved.row().id()));
        childRuns.checkMoved(moved.row(), moved.from());
        attention.noteMoved(moved.row());
        UnitFacts unit = traceState.units.get(moved.row().id());
        StepState known = unit == null ? StepState.BLOCKED : unit.state;
        require(
                unit == null ? known == moved.from() : unit.canBe(moved.from()),
                "S6",
                "%s came from %s, not %s",
                moved.row().id(),
                known,
                moved.from());
        if (moved.row().state() == StepState.NEEDS_INPUT) {
            responses.noteInputRequest(moved.row().id(), moved.row().fence());
        }
        boolean over = known == StepState.COMPLETED || known == StepState.CANCELLED || known == StepState.SKIPPED;
        require(!over, "S10", "%s had ended as %s", moved.row().id(), known);
        require(
                !traceState.liveClaims.containsKey(moved.row().id())
                        || !moved.row().state().ended(),
                "R3.8",
                "%s has ended, and is still claimed",
                moved.row().id());
    }

    private void checkWorkStarted(Fact.WorkStarted started) {
        boolean first = startedWork.add(started.unit() + "#" + started.fence());
        require(first, "S8", "two bodies of %s have fence %s", started.unit(), started.fence());
        long newest = newestFence.getOrDefault(started.unit(), 0L);
        require(
                started.fence() <= newest,
                "S5",
                "%s runs under fence %s, never granted",
                started.unit(),
                started.fence());
    }

    /** Checks that the chain of the audit continues where its last committed entry ended. */
    private void checkAudited(AuditEntry entry) {
        AuditHead before = auditHead;
        auditHead = entry.head();
        boolean follows =
                entry.number() == before.count() + 1 && entry.previousHash().equals(before.hash()) && entry.isIntact();
        require(follows, "R4.8", "the audit has %s after %s", entry, before);
    }
}
