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
    private final LimitUsage limitUsage;
    private final boolean keepSpans;
    private final StepStatistics runs = new StepStatistics("");
    private final Map<String, StepStatistics> steps = new LinkedHashMap<>();
    private final Map<UnitId, PhaseEntry> units = new HashMap<>();
    private final Map<UnitId, Claim> claims = new HashMap<>();
    private final List<Span> spans = new ArrayList<>();
    private int openRuns;
    private long lastEnd;

    /** The phase of a unit, its start, and the limits that the unit needs while it waits. */
    private record PhaseEntry(
            Phase phase, long since, @Nullable LimitNeeds needs) {}

    ForecastRecorder(Workflow workflow, WaitTimes waits, boolean keepSpans) {
        this.waits = waits;
        this.limitUsage = new LimitUsage(workflow);
        this.keepSpans = keepSpans;
        for (Step step : workflow.steps()) {
            steps.put(step.id(), new StepStatistics(step.id()));
        }
    }

    /** Returns the unit that stands for a run waiting for the limits on runs. */
    static UnitId unit(String run) {
        return UnitId.of(run, "");
    }

    void recordMove(Move move) {
        switch (move) {
            case Move.RunAccepted accepted -> recordRunAccepted(accepted.row(), accepted.at());
            case Move.RunMoved moved -> recordMoved(moved);
            case Move.StepMoved moved -> recordMoved(moved.row(), moved.from(), moved.at());
            case Move.ItemCreated made -> recordItemMade(made.row(), made.at());
            case Move.Granted granted -> recordGranted(granted);
            case Move.Released released -> recordReleased(released);
            case Move.RunStopping ignored -> {}
            case Move.RunOverridden ignored -> {}
            case Move.RunChanged ignored -> {}
            case Move.StepChanged ignored -> {}
            case Move.Resumed ignored -> {}
            case Move.StepPutAhead ignored -> {}
            case Move.OutputAmended ignored -> {}
            case Move.SignalKept ignored -> {}
            case Move.SignalTaken ignored -> {}
            case Move.DeadlineNear ignored -> {}
            case Move.KeyHeld ignored -> {}
            case Move.OfEvent ignored -> {}
            case Move.FenceRaised ignored -> {}
            case Move.ListeningRecorded ignored -> {}
            case Move.Extended ignored -> {}
            case Move.KeyPinned ignored -> {}
            case Move.KeyUnpinned ignored -> {}
            case Move.RunLimitsConfigured ignored -> {}
            case Move.RunHeld ignored -> {}
            case Move.KeyPaused ignored -> {}
            case Move.KeyResumed ignored -> {}
            case Move.RateReset ignored -> {}
            case Move.WorkflowRegistered ignored -> {}
            case Move.ModuleRegistered ignored -> {}
            case Move.OfAttention ignored -> {}
            case Move.OfAccess ignored -> {}
            case Move.OfStops ignored -> {}
        }
    }

    private void recordRunAccepted(RunRow row, long now) {
        openRuns++;
        runs.units++;
        enterPhase(unit(row.id()), Phase.WAITING, row.limitNeeds(), now);
    }

    private void recordMoved(Move.RunMoved move) {
        RunRow row = move.row();
        UnitId unit = unit(row.id());
        long now = move.at();
        waits.limitsChanged(row.limitNeeds().needs());
        if (move.from() == RunState.QUEUED && row.state() == RunState.RUNNING) {
            runs.starts++;
            enterPhase(unit, Phase.RUNNING, null, now);
            limitUsage.runStarted(row.id(), row.limitNeeds(), move.starts(), now);
        }
        if (row.state().ended()) {
            leavePhase(unit, now);
            limitUsage.runEnded(row.id(), row.limitNeeds(), now);
            count(runs, row.state());
            if (row.ending() != null) {
                runs.recordError(row.ending().reason());
            }
            openRuns--;
            lastEnd = now;
        }
    }

    private static void count(StepStatistics statistics, RunState state) {
        statistics.completed += state == RunState.COMPLETED ? 1 : 0;
        statistics.failed += state == RunState.FAILED ? 1 : 0;
        statistics.cancelled += state == RunState.CANCELLED ? 1 : 0;
    }

    private void recordItemMade(StepRow row, long now) {
        statisticsOf(row.id()).units++;
        if (row.lastOutcome() == null) {
            enterPhase(row.id(), Phase.WAITING, row.limitNeeds(), now);
        }
    }

    private void recordMoved(StepRow row, StepState from, long now) {
        waits.runChanged(row.id().run());
        if (row.items() != StepRow.NOT_FANNED_OUT) {
            recordFanOutMoved(row, from, now);
            return;
        }
        StepStatistics statistics = statisticsOf(row.id());
        boolean first = from == StepState.BLOCKED && row.id().item() == UnitId.NO_ITEM;
        statistics.units += first ? 1 : 0;
        switch (row.state()) {
            case READY, REQUESTED -> enterPhase(row.id(), Phase.WAITING, row.limitNeeds(), now);
            case BACKING_OFF -> {
                statistics.retries++;
                enterPhase(row.id(), Phase.RESTING, null, now);
            }
            case WAITING -> {
                if (row.waitsFor() == AwaitedEvent.OPERATOR) {
                    leavePhase(row.id(), now);
                    statistics.recordError(error(row));
                } else {
                    enterPhase(row.id(), Phase.RESTING, null, now);
                }
            }
            case COMPLETED, FAILED, CANCELLED, SKIPPED -> {
                leavePhase(row.id(), now);
                count(statistics, row);
            }
            case BLOCKED, RUNNING, NEEDS_INPUT -> {}
        }
    }

    /** Records a change of a step with a fan-out. It neither waits nor runs by itself; its items do. */
    private void recordFanOutMoved(StepRow row, StepState from, long now) {
        if (from == StepState.BLOCKED || from == StepState.WAITING) {
            limitUsage.changeOpenFanOuts(row.id().step(), 1, now);
        }
        if (row.state().ended()) {
            limitUsage.changeOpenFanOuts(row.id().step(), -1, now);
        }
    }

    private static void count(StepStatistics statistics, StepRow row) {
        statistics.completed += row.state() == StepState.COMPLETED ? 1 : 0;
        statistics.skipped += row.state() == StepState.SKIPPED ? 1 : 0;
        statistics.cancelled += row.state() == StepState.CANCELLED ? 1 : 0;
        if (row.state() == StepState.FAILED) {
            statistics.failed++;
            statistics.recordError(error(row));
        }
    }

    private static String error(StepRow row) {
        return row.lastOutcome() instanceof Update.Failed failure ? failure.error() : "no reason given";
    }

    private void recordGranted(Move.Granted move) {
        Claim claim = move.claim();
        claims.put(claim.unit(), claim);
        statisticsOf(claim.unit()).starts++;
        enterPhase(claim.unit(), Phase.RUNNING, null, move.at());
        limitUsage.granted(claim, move.startsInTick(), move.at());
        waits.runChanged(claim.unit().run());
        waits.limitsChanged(claim.limitNeeds().needs());
    }

    private void recordReleased(Move.Released move) {
        Claim claim = Objects.requireNonNull(claims.remove(move.unit()));
        statisticsOf(move.unit()).timeouts += move.cause() == Move.Released.Cause.TIMED_OUT ? 1 : 0;
        leavePhase(move.unit(), move.at());
        limitUsage.released(claim, move.at());
        waits.runChanged(claim.unit().run());
        waits.limitsChanged(claim.limitNeeds().needs());
    }

    private StepStatistics statisticsOf(UnitId unit) {
        // Compensations are counted as steps of their own, which are added with the first compensation.
        return unit.step().isEmpty() ? runs : steps.computeIfAbsent(unit.step(), StepStatistics::new);
    }

    private void enterPhase(UnitId unit, Phase phase, @Nullable LimitNeeds needs, long now) {
        leavePhase(unit, now);
        units.put(unit, new PhaseEntry(phase, now, needs));
        statisticsOf(unit).enter(phase, now);
        if (needs != null) {
            waits.beginWait(unit, needs, now);
        }
    }

    private void leavePhase(UnitId unit, long now) {
        PhaseEntry previous = units.remove(unit);
        if (previous == null) {
            return;
        }
        statisticsOf(unit).leave(previous.phase, previous.since, now);
        if (previous.needs != null) {
            waits.endWait(unit, previous.needs, now);
        }
        boolean isEmptyWait = previous.phase == Phase.WAITING && previous.since == now;
        if (keepSpans && !unit.step().isEmpty() && !isEmptyWait && spans.size() <= SPANS_MAX) {
            spans.add(new Span(unit.step(), unit.item(), previous.phase, previous.since, now));
        }
    }

    /** The number of runs that were accepted and have not ended. */
    int openRuns() {
        return openRuns;
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

    LimitUsage limitUsage() {
        return limitUsage;
    }

    /** The spans, if all of them were kept; else empty. */
    List<Span> spans() {
        return spans.size() > SPANS_MAX ? List.of() : spans;
    }

    /** Closes all open phases, so that their time until now counts. */
    void closePhases(long now) {
        for (UnitId unit : List.copyOf(units.keySet())) {
            leavePhase(unit, now);
        }
    }
}
