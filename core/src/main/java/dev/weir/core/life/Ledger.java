package dev.weir.core.life;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Pin;
import dev.weir.core.limit.Start;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** Rows in memory, kept by applying moves: what a journal does with tables, without any rule of its own. */
public final class Ledger {
    private final Map<String, OfRun> runs = new LinkedHashMap<>();
    private final List<Start> starts = new ArrayList<>();
    private final SortedMap<LimitId.Shared, Pin> pins = new TreeMap<>();
    private final SortedMap<LimitId.Shared, Long> pauses = new TreeMap<>();
    private final SortedMap<LimitId.Shared, Long> holds = new TreeMap<>();
    private final SortedMap<String, ConcurrencyProfile> profiles = new TreeMap<>();
    private final SortedMap<String, WorkflowVersion> workflows = new TreeMap<>();
    private final Ended ended = new Ended();
    private long nextNumber = 1;

    /** The rows of one run; steps and claims by the number of the step, then by item. */
    private static final class OfRun {
        private RunRow row;
        private final SortedMap<Long, StepRow> steps = new TreeMap<>();
        private final SortedMap<Long, Claim> claims = new TreeMap<>();
        private final SortedMap<Long, Signal> signals = new TreeMap<>();

        private OfRun(RunRow row) {
            this.row = row;
        }

        private long place(UnitId unit) {
            PlannedStep step = row.request().plan().find(unit.step());
            if (step == null) {
                throw new IllegalArgumentException("expected a step of run " + unit.run() + ", found " + unit.step());
            }
            return ((long) step.index << Integer.SIZE) | (unit.item() + 1);
        }

        private void put(StepRow step) {
            steps.put(place(step.id()), step);
        }
    }

    public static Ledger of(Rows rows) {
        var ledger = new Ledger();
        rows.runs().forEach(row -> ledger.runs.put(row.id(), new OfRun(row)));
        rows.steps().forEach(step -> ledger.get(step.id().run()).put(step));
        for (Claim claim : rows.claims()) {
            OfRun run = ledger.get(claim.unit().run());
            run.claims.put(run.place(claim.unit()), claim);
        }
        rows.signals().forEach(ledger::keep);
        ledger.starts.addAll(rows.starts());
        ledger.pins.putAll(rows.pins());
        ledger.pauses.putAll(rows.pauses());
        ledger.holds.putAll(rows.holds());
        ledger.profiles.putAll(rows.profiles());
        ledger.workflows.putAll(rows.workflows());
        rows.ended().forEach(ledger.ended::add);
        ledger.nextNumber = rows.nextNumber();
        return ledger;
    }

    public void apply(List<Move> moves) {
        moves.forEach(this::apply);
    }

    private void apply(Move move) {
        switch (move) {
            case Move.RunAccepted accepted -> accept(accepted.row());
            case Move.RunMoved moved -> moved(moved);
            case Move.RunStopping stopping -> change(stopping.run(), row -> row.stopping(stopping.ending()));
            case Move.RunOverridden overridden ->
                change(overridden.run(), row -> row.overridden(overridden.overrides()));
            case Move.RunChanged changed -> change(changed.run(), row -> row.with(changed.ask(), changed.detail()));
            case Move.StepChanged changed -> change(changed);
            case Move.OutputAmended amended -> get(amended.row().id().run()).put(amended.row());
            case Move.SignalKept kept -> keep(kept.signal());
            case Move.SignalTaken taken -> get(taken.run()).signals.remove(taken.number());
            case Move.DeadlineNear ignored -> {}
            case Move.StepMoved moved -> get(moved.row().id().run()).put(moved.row());
            case Move.ItemMade made -> get(made.row().id().run()).put(made.row());
            case Move.Granted granted -> grant(granted);
            case Move.Resumed resumed -> {
                OfRun run = get(resumed.row().id().run());
                run.put(resumed.row());
                run.claims.put(run.place(resumed.claim().unit()), resumed.claim());
            }
            case Move.Extended extended -> extend(extended);
            case Move.Released released -> {
                OfRun run = get(released.unit().run());
                run.claims.remove(run.place(released.unit()));
            }
            case Move.KeyPinned pinned -> pins.put(pinned.limit(), pinned.pin());
            case Move.KeyUnpinned unpinned -> pins.remove(unpinned.limit());
            case Move.KeyPaused paused -> pauses.put(paused.limit(), paused.until());
            case Move.KeyHeld held -> holds.put(held.limit(), held.until());
            case Move.EventEmitted ignored -> {}
            case Move.StartRefused ignored -> {}
            case Move.KeyResumed resumed -> pauses.remove(resumed.limit());
            case Move.RateReset reset -> starts.removeIf(start -> start.limit().equals(reset.limit()));
            case Move.WorkflowRegistered registered ->
                workflows.put(
                        registered.workflow().name(), new WorkflowVersion(registered.version(), registered.hash()));
            case Move.ModuleRegistered registered -> profiles.put(registered.module(), registered.profile());
        }
    }

    private void accept(RunRow row) {
        runs.put(row.id(), new OfRun(row));
        nextNumber = row.number() + 1;
    }

    private void moved(Move.RunMoved moved) {
        OfRun run = get(moved.row().id());
        run.row = moved.row();
        starts.addAll(moved.starts());
        if (moved.row().state().ended()) {
            runs.remove(moved.row().id());
            Map<UnitId, EndedRun.Report> reports = new HashMap<>();
            for (StepRow step : run.steps.values()) {
                if (step.reported()) {
                    reports.put(step.id(), new EndedRun.Report(step.fence(), step.report()));
                }
            }
            int body = run.row.request().fingerprint();
            ended.add(new EndedRun(run.row.id(), run.row.state(), body, reports));
        }
    }

    private void grant(Move.Granted granted) {
        OfRun run = get(granted.claim().unit().run());
        run.put(granted.row());
        run.claims.put(run.place(granted.claim().unit()), granted.claim());
        starts.addAll(granted.claim().starts());
        if (granted.startsInTick() > 0) {
            run.row = run.row.granted(granted.at(), granted.startsInTick());
        }
    }

    private void extend(Move.Extended extended) {
        OfRun run = get(extended.unit().run());
        run.claims.computeIfPresent(run.place(extended.unit()), (place, claim) -> claim.extendedTo(extended.until()));
    }

    private void keep(Signal signal) {
        get(signal.run()).signals.put(signal.number(), signal);
    }

    private void change(Move.StepChanged changed) {
        OfRun run = get(changed.unit().run());
        run.steps.computeIfPresent(run.place(changed.unit()), (place, row) -> row.with(changed.detail()));
    }

    private void change(String run, UnaryOperator<RunRow> how) {
        OfRun found = get(run);
        found.row = how.apply(found.row);
    }

    private OfRun get(String run) {
        OfRun found = runs.get(run);
        if (found == null) {
            throw new IllegalArgumentException("expected a run that lives, found " + run);
        }
        return found;
    }

    /** The rows as they are; what operators have set for a time that is over is left out, and so are starts
     * that count no more. */
    public Rows rows(long now) {
        List<RunRow> runRows = new ArrayList<>();
        List<StepRow> stepRows = new ArrayList<>();
        List<Claim> claims = new ArrayList<>();
        List<Signal> signals = new ArrayList<>();
        for (OfRun run : runs.values()) {
            runRows.add(run.row);
            stepRows.addAll(run.steps.values());
            claims.addAll(run.claims.values());
            signals.addAll(run.signals.values());
        }
        pins.values().removeIf(pin -> pin.until() <= now);
        pauses.values().removeIf(until -> until <= now);
        holds.values().removeIf(until -> until <= now);
        return new Rows(
                runRows,
                stepRows,
                claims,
                signals,
                Periods.asked(runRows, stepRows, pins).counting(starts, now),
                pins,
                pauses,
                holds,
                profiles,
                workflows,
                ended.all(),
                nextNumber);
    }
}
