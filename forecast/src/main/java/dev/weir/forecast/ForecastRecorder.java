package dev.weir.forecast;

import dev.weir.core.definition.Step;
import dev.weir.core.definition.Workflow;
import dev.weir.core.plan.LimitNeeds;
import dev.weir.core.state.AwaitedEvent;
import dev.weir.core.state.Claim;
import dev.weir.core.state.Move;
import dev.weir.core.state.RunRow;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import dev.weir.forecast.Forecast.Phase;
import dev.weir.forecast.Forecast.Span;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the moves and records the data of a forecast. It decides nothing. */
final class ForecastRecorder {
    /** The most spans that are kept. If there are more, the forecast contains only counts. */
    static final int SPANS_MAX = 5_000;

    private final WaitTimes waits;
    private final LimitUsage usages;
    private final boolean keepsSpans;
    private final StepStatistics runs = new StepStatistics("");
    private final Map<String, StepStatistics> steps = new LinkedHashMap<>();
    private final Map<UnitId, Now> units = new HashMap<>();
    private final Map<UnitId, Claim> claims = new HashMap<>();
    private final List<Span> spans = new ArrayList<>();
    private int open;
    private long lastEnd;

    /** The phase of a unit, its start, and the limits that the unit needs while it waits. */
    private record Now(Phase phase, long since, @Nullable LimitNeeds ask) {}

    ForecastRecorder(Workflow workflow, WaitTimes waits, boolean keepsSpans) {
        this.waits = waits;
        this.usages = new LimitUsage(workflow);
        this.keepsSpans = keepsSpans;
        for (Step step : workflow.steps()) {
            steps.put(step.id(), new StepStatistics(step.id()));
        }
    }

    /** Returns the unit that stands for a run waiting for the limits on runs. */
    static UnitId unit(String run) {
        return UnitId.of(run, "");
    }

    void note(Move move) {
        switch (move) {
            case Move.RunAccepted accepted -> accepted(accepted.row(), accepted.at());
            case Move.RunMoved moved -> moved(moved);
            case Move.StepMoved moved -> moved(moved.row(), moved.from(), moved.at());
            case Move.ItemMade made -> made(made.row(), made.at());
            case Move.Granted granted -> granted(granted);
            case Move.Released released -> released(released);
            case Move.RunStopping ignored -> {}
            case Move.RunOverridden ignored -> {}
            case Move.RunChanged ignored -> {}
            case Move.StepChanged ignored -> {}
            case Move.Resumed ignored -> {}
            case Move.OutputAmended ignored -> {}
            case Move.SignalKept ignored -> {}
            case Move.SignalTaken ignored -> {}
            case Move.DeadlineNear ignored -> {}
            case Move.KeyHeld ignored -> {}
            case Move.EventEmitted ignored -> {}
            case Move.StartRefused ignored -> {}
            case Move.FenceRaised ignored -> {}
            case Move.ListeningNoted ignored -> {}
            case Move.Extended ignored -> {}
            case Move.KeyPinned ignored -> {}
            case Move.KeyUnpinned ignored -> {}
            case Move.KeyPaused ignored -> {}
            case Move.KeyResumed ignored -> {}
            case Move.RateReset ignored -> {}
            case Move.WorkflowRegistered ignored -> {}
            case Move.ModuleRegistered ignored -> {}
        }
    }

    private void accepted(RunRow row, long now) {
        open++;
        runs.units++;
        enter(unit(row.id()), Phase.WAITING, row.ask(), now);
    }

    private void moved(Move.RunMoved move) {
        RunRow row = move.row();
        UnitId unit = unit(row.id());
        long now = move.at();
        waits.limitsChanged(row.ask().needs());
        if (move.from() == RunState.QUEUED && row.state() == RunState.RUNNING) {
            runs.starts++;
            enter(unit, Phase.RUNNING, null, now);
            usages.runStarted(row.id(), row.ask(), move.starts(), now);
        }
        if (row.state().ended()) {
            leave(unit, now);
            usages.runEnded(row.id(), row.ask(), now);
            count(runs, row.state());
            if (row.ending() != null) {
                runs.failedWith(row.ending().reason());
            }
            open--;
            lastEnd = now;
        }
    }

    private static void count(StepStatistics tally, RunState state) {
        tally.completed += state == RunState.COMPLETED ? 1 : 0;
        tally.failed += state == RunState.FAILED ? 1 : 0;
        tally.cancelled += state == RunState.CANCELLED ? 1 : 0;
    }

    private void made(StepRow row, long now) {
        tally(row.id()).units++;
        if (row.last() == null) {
            enter(row.id(), Phase.WAITING, row.ask(), now);
        }
    }

    private void moved(StepRow row, StepState from, long now) {
        waits.runChanged(row.id().run());
        if (row.items() != StepRow.NOT_FANNED_OUT) {
            movedFanOut(row, from, now);
            return;
        }
        StepStatistics tally = tally(row.id());
        boolean first = from == StepState.BLOCKED && row.id().item() == UnitId.NO_ITEM;
        tally.units += first ? 1 : 0;
        switch (row.state()) {
            case READY, REQUESTED -> enter(row.id(), Phase.WAITING, row.ask(), now);
            case BACKING_OFF -> {
                tally.retries++;
                enter(row.id(), Phase.RESTING, null, now);
            }
            case WAITING -> {
                if (row.waitsFor() == AwaitedEvent.OPERATOR) {
                    leave(row.id(), now);
                    tally.failedWith(error(row));
                } else {
                    enter(row.id(), Phase.RESTING, null, now);
                }
            }
            case COMPLETED, FAILED, CANCELLED, SKIPPED -> {
                leave(row.id(), now);
                count(tally, row);
            }
            case BLOCKED, RUNNING, NEEDS_INPUT -> {}
        }
    }

    /** Records a change of a step with a fan-out. It neither waits nor runs by itself; its items do. */
    private void movedFanOut(StepRow row, StepState from, long now) {
        if (from == StepState.BLOCKED || from == StepState.WAITING) {
            usages.fanOut(row.id().step(), 1, now);
        }
        if (row.state().ended()) {
            usages.fanOut(row.id().step(), -1, now);
        }
    }

    private static void count(StepStatistics tally, StepRow row) {
        tally.completed += row.state() == StepState.COMPLETED ? 1 : 0;
        tally.skipped += row.state() == StepState.SKIPPED ? 1 : 0;
        tally.cancelled += row.state() == StepState.CANCELLED ? 1 : 0;
        if (row.state() == StepState.FAILED) {
            tally.failed++;
            tally.failedWith(error(row));
        }
    }

    private static String error(StepRow row) {
        return row.last() instanceof Update.Failed failure ? failure.error() : "no reason given";
    }

    private void granted(Move.Granted move) {
        Claim claim = move.claim();
        claims.put(claim.unit(), claim);
        tally(claim.unit()).starts++;
        enter(claim.unit(), Phase.RUNNING, null, move.at());
        usages.granted(claim, move.startsInTick(), move.at());
        waits.runChanged(claim.unit().run());
        waits.limitsChanged(claim.ask().needs());
    }

    private void released(Move.Released move) {
        Claim claim = Objects.requireNonNull(claims.remove(move.unit()));
        tally(move.unit()).timeouts += move.how() == Move.Released.How.TIMED_OUT ? 1 : 0;
        leave(move.unit(), move.at());
        usages.released(claim, move.at());
        waits.runChanged(claim.unit().run());
        waits.limitsChanged(claim.ask().needs());
    }

    private StepStatistics tally(UnitId unit) {
        // Compensations are counted as steps of their own, which are added with the first compensation.
        return unit.step().isEmpty() ? runs : steps.computeIfAbsent(unit.step(), StepStatistics::new);
    }

    private void enter(UnitId unit, Phase phase, @Nullable LimitNeeds ask, long now) {
        leave(unit, now);
        units.put(unit, new Now(phase, now, ask));
        tally(unit).enter(phase, now);
        if (ask != null) {
            waits.begin(unit, ask, now);
        }
    }

    private void leave(UnitId unit, long now) {
        Now before = units.remove(unit);
        if (before == null) {
            return;
        }
        tally(unit).leave(before.phase, before.since, now);
        if (before.ask != null) {
            waits.end(unit, before.ask, now);
        }
        boolean tellsNothing = before.phase == Phase.WAITING && before.since == now;
        if (keepsSpans && !unit.step().isEmpty() && !tellsNothing && spans.size() <= SPANS_MAX) {
            spans.add(new Span(unit.step(), unit.item(), before.phase, before.since, now));
        }
    }

    /** The number of runs that were accepted and have not ended. */
    int open() {
        return open;
    }

    /** The end of the last run so far. */
    long lastEnd() {
        return lastEnd;
    }

    StepStatistics runs() {
        return runs;
    }

    List<StepStatistics> steps() {
        return List.copyOf(steps.values());
    }

    LimitUsage usages() {
        return usages;
    }

    /** The spans, if all of them were kept; else empty. */
    List<Span> spans() {
        return spans.size() > SPANS_MAX ? List.of() : spans;
    }

    /** Closes all open phases, so that their time until now counts. */
    void close(long now) {
        for (UnitId unit : List.copyOf(units.keySet())) {
            leave(unit, now);
        }
    }
}
