package dev.weir.testkit.simulator;

import static dev.weir.testkit.simulator.Violation.unless;

import dev.weir.core.admission.Explanation;
import dev.weir.core.life.BuiltIn;
import dev.weir.core.life.Claim;
import dev.weir.core.life.Move;
import dev.weir.core.life.RunState;
import dev.weir.core.life.StepState;
import dev.weir.core.life.UnitId;
import dev.weir.testkit.simulator.Tally.RunFacts;
import dev.weir.testkit.simulator.Tally.UnitFacts;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a trace and finds broken promises. */
final class Checker {
    /** Every how many settlements the engine is asked why somebody waits. */
    private static final int ASKED_EVERY = 5;

    private final Tally tally = new Tally();
    private final Judge judge = new Judge(tally);
    private final Set<Kind> seen = EnumSet.noneOf(Kind.class);
    private final Set<String> bodies = new HashSet<>();
    private final Map<UnitId, Long> newestFence = new HashMap<>();
    private final Undoing undoing = new Undoing();
    private final Nesting nesting = new Nesting(tally, seen);
    private final Told told = new Told(tally, seen);
    private final Leases leases = new Leases(tally);
    /** Claims whose rows somebody has removed. */
    private final Set<String> removedRows = new HashSet<>();

    private long settlements;

    /** What only the engine itself can say. */
    interface Engine {
        /** For whom room is kept, if for anybody. */
        @Nullable
        UnitId reserver();

        @Nullable
        Explanation why(UnitId unit);

        @Nullable
        Explanation why(String run);
    }

    Set<Kind> seen() {
        return seen;
    }

    Tally tally() {
        return tally;
    }

    void see(Fact fact, Engine engine) {
        switch (fact) {
            case Fact.Decided decided -> {
                tally.expire(decided.at());
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
                settled(settled.at(), engine);
            }
            case Fact.Rebuilt ignored -> seen.add(Kind.REBUILT);
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
            case Move.Extended extended -> extended(extended);
            case Move.Resumed resumed -> resumed(resumed);
            case Move.RunOverridden ignored -> seen.add(Kind.RUN_OVERRIDDEN);
            case Move.KeyPinned ignored -> seen.add(Kind.KEY_PINNED);
            case Move.KeyPaused ignored -> seen.add(Kind.KEY_PAUSED);
            case Move.RateReset ignored -> seen.add(Kind.RATE_RESET);
            case Move.RunStopping stopping -> {
                nesting.stopping(stopping);
                if (stopping.ending().as() == RunState.CANCELLED) {
                    seen.add(Kind.CANCELLED);
                }
            }
            case Move.RunAccepted accepted -> nesting.accepted(accepted.row());
            case Move.OutputAmended ignored -> {}
            case Move.SignalKept kept -> nesting.kept(kept);
            case Move.SignalTaken taken -> nesting.taken(taken);
            case Move.DeadlineNear ignored -> seen.add(Kind.DEADLINE_NEAR);
            case Move.KeyHeld ignored -> seen.add(Kind.KEY_HELD);
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
        Set<Kind> refusals = judge.refusals(claim.unit(), claim.ask(), null, granted.at());
        unless(refusals.isEmpty(), "S1-S3", "%s was granted at %s against %s", claim.unit(), granted.at(), refusals);
    }

    private void fenceGrows(Claim claim) {
        long newest = newestFence.getOrDefault(claim.unit(), 0L);
        unless(claim.fence() > newest, "S8", "%s: fence %s after %s", claim.unit(), claim.fence(), newest);
        newestFence.put(claim.unit(), claim.fence());
    }

    /** What goes on without being admitted never left: it was claimed, and holds what it held. */
    private void resumed(Move.Resumed resumed) {
        seen.add(Kind.RESUMED);
        Claim claim = resumed.claim();
        fenceGrows(claim);
        Claim before = tally.live.get(claim.unit());
        UnitFacts unit = tally.units.get(claim.unit());
        boolean waited = unit != null && unit.state == StepState.NEEDS_INPUT;
        if (before == null && removedRows.contains(claim.unit() + "#" + (claim.fence() - 1))) {
            return;
        }
        unless(waited && before != null, "S5", "%s goes on, but did not wait for input", claim.unit());
        unless(before != null && before.ask().equals(claim.ask()), "S4", "%s holds something else", claim.unit());
    }

    private void extended(Move.Extended extended) {
        lives(extended.unit(), extended.fence(), "S6", "extended");
        told.extensionKept(extended.unit(), extended.fence());
    }

    private void released(Move.Released released) {
        lives(released.unit(), released.fence(), "S6", "released");
        leases.released(released);
        switch (released.how()) {
            case EXPIRED -> seen.add(Kind.LEASE_EXPIRED);
            case TIMED_OUT -> seen.add(Kind.TIMED_OUT);
            case REPORTED -> told.reportKept(released.unit(), released.fence());
            case CANCELLED -> {}
        }
    }

    private void lives(UnitId unit, long fence, String promise, String what) {
        Claim claim = tally.live.get(unit);
        unless(
                (claim != null && claim.fence() == fence) || removedRows.contains(unit + "#" + fence),
                promise,
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
            seen.add(Kind.COMPENSATED);
        }
        if (next.ended()) {
            undoing.ended(moved.row().id(), run.state == RunState.COMPENSATING);
        }
        if (next == RunState.PAUSED) {
            seen.add(Kind.RUN_PAUSED);
        }
        if (next == RunState.RUNNING && !run.holdsPlace) {
            Set<Kind> refusals = judge.runRefusals(run, moved.at());
            unless(
                    refusals.isEmpty(),
                    "S1-S3",
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
                known == moved.from(),
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

    /** Looks at all who wait: none may be able to start, and each must have a reason. */
    private void settled(long now, Engine engine) {
        settlements++;
        Judge.Kept kept = kept(engine.reserver());
        Set<String> polled = new HashSet<>();
        tally.polls.values().forEach(polled::addAll);
        for (var entry : tally.units.entrySet()) {
            UnitFacts unit = entry.getValue();
            if (unit.ask != null && tally.asks(entry.getKey(), unit)) {
                boolean served = polled.contains(unit.ask.module()) || BuiltIn.owns(unit.ask.module());
                Set<Kind> refusals = judge.refusals(entry.getKey(), unit.ask, kept, now);
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
                Set<Kind> refusals = judge.runRefusals(entry.getValue(), now);
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

    private Judge.@Nullable Kept kept(@Nullable UnitId reserver) {
        UnitFacts unit = reserver == null ? null : tally.units.get(reserver);
        return reserver == null || unit == null || unit.ask == null ? null : new Judge.Kept(reserver, unit.ask);
    }

    private void drained(long now, Engine engine) {
        unless(tally.live.isEmpty(), "L3", "still claimed after draining: %s", tally.live.keySet());
        tally.units.forEach((id, unit) -> unless(
                unit.state.ended(),
                "R3.3",
                "%s has not ended: %s, asks for %s, why %s",
                id,
                unit.state,
                unit.ask,
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
