package dev.weir.simulator;

import static dev.weir.simulator.Violation.unless;

import dev.weir.core.admission.Explanation;
import dev.weir.core.plan.BuiltInModule;
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
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a trace and finds broken promises. */
final class PromiseChecker {
    /** The number of settlements between two queries to the engine about usage and wait reasons. */
    private static final int ASKED_EVERY = 5;

    private final TraceState tally = new TraceState();
    private final LimitReference judge = new LimitReference(tally);
    private final Set<Coverage> seen = EnumSet.noneOf(Coverage.class);
    private final Set<String> bodies = new HashSet<>();
    private final Map<UnitId, Long> newestFence = new HashMap<>();
    private final CompensationCheck undoing = new CompensationCheck();
    private final ChildRunCheck nesting = new ChildRunCheck(tally, seen);
    private final ResponseCheck told = new ResponseCheck(tally, seen);
    private final LeaseCheck leases = new LeaseCheck(tally);
    /** Claims whose rows the simulation has removed. */
    private final Set<String> removedRows = new HashSet<>();
    /**
     * Units whose claims were extended although their rows are gone. Such a claim must end before the next settlement.
     */
    private final Set<UnitId> extendedWithoutRow = new HashSet<>();

    private long settlements;

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
        List<InUse> inUse();
    }

    /** The used amount of a shared limit, and the number of allocations that make it up. */
    record InUse(String limit, long used, int holders) {}

    Set<Coverage> seen() {
        return seen;
    }

    TraceState tally() {
        return tally;
    }

    void see(Fact fact, Engine engine) {
        switch (fact) {
            case Fact.Decided decided -> {
                tally.expire(decided.at());
                leases.decided(decided.at());
                check(decided.move());
                tally.see(decided.move());
            }
            case Fact.PollOpened opened -> tally.polls.put(opened.request(), opened.modules());
            case Fact.PollEnded ended -> tally.polls.remove(ended.request());
            case Fact.Reported reported -> told.reported(reported);
            case Fact.Beaten beaten -> told.beaten(beaten);
            case Fact.BodyStarted started -> bodyStarted(started);
            case Fact.StartAnswered answered -> told.started(answered);
            case Fact.RowRemoved removed -> {
                removedRows.add(removed.unit() + "#" + removed.fence());
                tally.remove(removed.unit());
            }
            case Fact.Unheard unheard -> leases.unheard(unheard);
            case Fact.Settled settled -> {
                tally.expire(settled.at());
                leases.settled(settled.at());
                unless(extendedWithoutRow.isEmpty(), "S6", "%s were extended, and have no row", extendedWithoutRow);
                settled(settled.at(), engine);
            }
            case Fact.Rebuilt ignored -> seen.add(Coverage.REBUILT);
            case Fact.FaultsOff ignored -> {}
            case Fact.Drained drained -> drained(drained.at(), engine);
        }
    }

    private void check(Move move) {
        switch (move) {
            case Move.Granted granted -> granted(granted);
            case Move.Released released -> released(released);
            case Move.RunMoved moved -> runMoved(moved);
            case Move.StepMoved moved -> stepMoved(moved);
            case Move.FenceRaised ignored -> {}
            case Move.ListeningNoted ignored -> {}
            case Move.Extended extended -> extended(extended);
            case Move.Resumed resumed -> resumed(resumed);
            case Move.RunOverridden ignored -> seen.add(Coverage.RUN_OVERRIDDEN);
            case Move.KeyPinned ignored -> seen.add(Coverage.KEY_PINNED);
            case Move.KeyPaused ignored -> seen.add(Coverage.KEY_PAUSED);
            case Move.RateReset ignored -> seen.add(Coverage.RATE_RESET);
            case Move.RunStopping stopping -> {
                nesting.stopping(stopping);
                if (stopping.ending().as() == RunState.CANCELLED) {
                    seen.add(Coverage.CANCELLED);
                }
            }
            case Move.RunAccepted accepted -> nesting.accepted(accepted.row());
            case Move.OutputAmended ignored -> {}
            case Move.SignalKept kept -> nesting.kept(kept);
            case Move.SignalTaken taken -> nesting.taken(taken);
            case Move.DeadlineNear ignored -> seen.add(Coverage.DEADLINE_NEAR);
            case Move.KeyHeld ignored -> seen.add(Coverage.KEY_HELD);
            case Move.EventEmitted event -> nesting.emitted(event.unit());
            case Move.StartRefused ignored -> {}
            case Move.RunChanged ignored -> {}
            case Move.StepChanged ignored -> {}
            case Move.ItemMade ignored -> {}
            case Move.KeyUnpinned ignored -> {}
            case Move.KeyResumed ignored -> {}
            case Move.WorkflowRegistered ignored -> {}
            case Move.ModuleRegistered ignored -> {}
        }
    }

    private void granted(Move.Granted granted) {
        Claim claim = granted.claim();
        UnitFacts unit = tally.units.get(claim.unit());
        unless(
                unit != null && tally.asks(claim.unit(), unit),
                "S5",
                "%s was granted without having waited",
                claim.unit());
        unless(!tally.live.containsKey(claim.unit()), "S4", "%s was granted while it is claimed", claim.unit());
        fenceGrows(claim);
        undoing.granted(claim.unit(), tally.run(claim.unit()));
        unless(tally.run(claim.unit()).wants(claim.unit()), "R2.13", "%s was granted, not wanted", claim.unit());
        unless(!tally.run(claim.unit()).state.ended(), "S10", "%s was granted after its run", claim.unit());
        Requirement required = tally.requirement(claim.unit());
        holds(claim.unit(), Requirement.recorded(claim.ask()), required);
        Set<Coverage> refusals = judge.refusals(claim.unit(), required, LimitReference.Reservations.NONE, granted.at());
        String promise = LimitReference.promise(refusals);
        unless(refusals.isEmpty(), promise, "%s was granted at %s against %s", claim.unit(), granted.at(), refusals);
    }

    /** Checks that an allocation is what the definition says. */
    private static void holds(Object who, Requirement recorded, Requirement required) {
        unless(recorded.equals(required), "S4", "%s holds %s, its definition says %s", who, recorded, required);
    }

    private void fenceGrows(Claim claim) {
        long newest = newestFence.getOrDefault(claim.unit(), 0L);
        unless(claim.fence() > newest, "S8", "%s: fence %s after %s", claim.unit(), claim.fence(), newest);
        newestFence.put(claim.unit(), claim.fence());
    }

    /** Checks a unit that continues without a new admission: it must have kept its claim and its allocation. */
    private void resumed(Move.Resumed resumed) {
        seen.add(Coverage.RESUMED);
        Claim claim = resumed.claim();
        fenceGrows(claim);
        Claim before = tally.live.get(claim.unit());
        UnitFacts unit = tally.units.get(claim.unit());
        boolean waited = unit != null && unit.state == StepState.NEEDS_INPUT;
        if (before == null && removedRows.contains(claim.unit() + "#" + resumed.replaced())) {
            return;
        }
        unless(waited && before != null, "S5", "%s goes on, but did not wait for input", claim.unit());
        unless(before != null && before.ask().equals(claim.ask()), "S4", "%s holds something else", claim.unit());
    }

    private void extended(Move.Extended extended) {
        lives(extended.unit(), extended.fence(), "extended");
        if (!tally.live.containsKey(extended.unit())) {
            extendedWithoutRow.add(extended.unit());
        }
        told.extensionKept(extended.unit(), extended.fence());
    }

    private void released(Move.Released released) {
        lives(released.unit(), released.fence(), "released");
        extendedWithoutRow.remove(released.unit());
        leases.released(released);
        switch (released.how()) {
            case EXPIRED -> seen.add(Coverage.LEASE_EXPIRED);
            case TIMED_OUT -> seen.add(Coverage.TIMED_OUT);
            case REPORTED -> told.reportKept(released.unit(), released.fence());
            case CANCELLED -> {}
        }
    }

    /** Checks that a claim is live, unless its row was removed and the engine does not know that yet. */
    private void lives(UnitId unit, long fence, String what) {
        Claim claim = tally.live.get(unit);
        unless(
                (claim != null && claim.fence() == fence) || removedRows.contains(unit + "#" + fence),
                "S6",
                "%s fence %s was %s, but %s",
                unit,
                fence,
                what,
                claim);
    }

    private void runMoved(Move.RunMoved moved) {
        RunFacts run = tally.run(moved.row().id());
        unless(
                run.state == moved.from(),
                "S10",
                "%s came from %s, not %s",
                moved.row().id(),
                run.state,
                moved.from());
        unless(!run.state.ended(), "S10", "%s had ended as %s", moved.row().id(), run.state);
        nesting.moved(moved, run);
        RunState next = moved.row().state();
        if (next == RunState.COMPENSATING) {
            seen.add(Coverage.COMPENSATED);
        }
        if (next.ended()) {
            undoing.ended(moved.row().id(), run.state == RunState.COMPENSATING);
        }
        if (next == RunState.PAUSED) {
            seen.add(Coverage.RUN_PAUSED);
        }
        if (next == RunState.RUNNING && !run.holdsPlace) {
            holds(moved.row().id(), Requirement.recorded(moved.row().ask()), run.requirement);
            Set<Coverage> refusals = judge.runRefusals(run, moved.at());
            unless(
                    refusals.isEmpty(),
                    LimitReference.promise(refusals),
                    "%s was started at %s against %s",
                    moved.row().id(),
                    moved.at(),
                    refusals);
        }
        if (next.ended()) {
            unless(
                    run.running.isEmpty(),
                    "L3",
                    "%s has ended, and %s are claimed",
                    moved.row().id(),
                    run.running);
        }
    }

    private void stepMoved(Move.StepMoved moved) {
        undoing.moved(moved.row(), tally.run(moved.row().id()));
        nesting.moved(moved.row(), moved.from());
        UnitFacts unit = tally.units.get(moved.row().id());
        StepState known = unit == null ? StepState.BLOCKED : unit.state;
        unless(
                unit == null ? known == moved.from() : unit.mayBe(moved.from()),
                "S6",
                "%s came from %s, not %s",
                moved.row().id(),
                known,
                moved.from());
        if (moved.row().state() == StepState.NEEDS_INPUT) {
            told.questionKept(moved.row().id(), moved.row().fence());
        }
        boolean over = known == StepState.COMPLETED || known == StepState.CANCELLED || known == StepState.SKIPPED;
        unless(!over, "S10", "%s had ended as %s", moved.row().id(), known);
        unless(
                !tally.live.containsKey(moved.row().id())
                        || !moved.row().state().ended(),
                "R3.8",
                "%s has ended, and is still claimed",
                moved.row().id());
    }

    private void bodyStarted(Fact.BodyStarted started) {
        boolean first = bodies.add(started.unit() + "#" + started.fence());
        unless(first, "S8", "two bodies of %s have fence %s", started.unit(), started.fence());
        long newest = newestFence.getOrDefault(started.unit(), 0L);
        unless(
                started.fence() <= newest,
                "S5",
                "%s runs under fence %s, never granted",
                started.unit(),
                started.fence());
    }

    /**
     * Checks that only live claims and started runs have allocations: no ticket that waits, and nothing that has ended.
     */
    private void holdsOnlyWhatIsClaimed(InUse inUse) {
        String limit = inUse.limit;
        long holders = tally.holders(limit);
        unless(inUse.holders <= holders, "L3", "%s is held by %s, and %s of them live", limit, inUse.holders, holders);
        long held = tally.held(limit);
        unless(
                inUse.used <= held,
                "S4",
                "%s of %s is in use, and those who were granted it hold %s",
                inUse.used,
                limit,
                held);
    }

    /** Checks everything that waits: none of it may be able to start, and each must have a reason. */
    private void settled(long now, Engine engine) {
        settlements++;
        if (settlements % ASKED_EVERY == 0) {
            engine.inUse().forEach(this::holdsOnlyWhatIsClaimed);
        }
        LimitReference.Reservations kept = kept(engine);
        Set<String> polled = new HashSet<>();
        tally.polls.values().forEach(polled::addAll);
        for (var entry : tally.units.entrySet()) {
            UnitFacts unit = entry.getValue();
            if (unit.requirement != null && tally.asks(entry.getKey(), unit)) {
                String module = unit.requirement.module();
                boolean served = polled.contains(module) || BuiltInModule.owns(module);
                Set<Coverage> refusals = judge.refusals(entry.getKey(), unit.requirement, kept, now);
                seen.addAll(refusals);
                boolean goesOn = served && refusals.isEmpty();
                unless(
                        !goesOn,
                        "L7",
                        "%s could start at %s, and waits: %s",
                        entry.getKey(),
                        now,
                        goesOn ? engine.why(entry.getKey()) : null);
                if (settlements % ASKED_EVERY == 0 && !refusals.isEmpty()) {
                    hasReason(entry.getKey(), engine.why(entry.getKey()));
                }
            }
        }
        for (var entry : tally.runs.entrySet()) {
            if (entry.getValue().state == RunState.QUEUED && entry.getValue().notBefore <= now) {
                Set<Coverage> refusals = judge.runRefusals(entry.getValue(), now);
                seen.addAll(refusals);
                boolean goesOn = refusals.isEmpty();
                Explanation why = goesOn ? engine.why(entry.getKey()) : null;
                unless(!goesOn, "L7", "run %s could start at %s, and waits: %s", entry.getKey(), now, why);
            }
        }
    }

    private static void hasReason(UnitId unit, @Nullable Explanation why) {
        unless(why != null && !why.blockers().isEmpty(), "L6", "%s waits, and nothing says why", unit);
    }

    private LimitReference.Reservations kept(Engine engine) {
        List<LimitReference.Kept> windows = engine.windowReservers().stream()
                .map(this::kept)
                .filter(Objects::nonNull)
                .toList();
        return new LimitReference.Reservations(kept(engine.reserver()), windows);
    }

    private LimitReference.@Nullable Kept kept(@Nullable UnitId reserver) {
        UnitFacts unit = reserver == null ? null : tally.units.get(reserver);
        return reserver == null || unit == null || unit.requirement == null
                ? null
                : new LimitReference.Kept(reserver, unit.requirement);
    }

    private void drained(long now, Engine engine) {
        unless(tally.live.isEmpty(), "L3", "still claimed after draining: %s", tally.live.keySet());
        tally.units.forEach((id, unit) -> unless(
                unit.state.ended(),
                "R3.3",
                "%s has not ended: %s, asks for %s, why %s",
                id,
                unit.state,
                unit.requirement,
                engine.why(id)));
        tally.runs.forEach((id, run) -> unless(
                run.state.ended(),
                "R3.3",
                "run %s has not ended: %s, refused by %s",
                id,
                run.state,
                judge.runRefusals(run, now)));
    }
}
