package dev.weir.testkit.journal;

import dev.weir.core.limit.Moment;
import dev.weir.core.plan.Plan;
import dev.weir.core.state.AuditEntry;
import dev.weir.core.state.DeadLetter;
import dev.weir.core.state.EndedRun;
import dev.weir.core.state.ExecutionCounts;
import dev.weir.core.state.Move;
import dev.weir.core.state.RunRow;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.UnitId;
import dev.weir.engine.journal.PastRun;
import dev.weir.engine.records.DeadLetterRecord;
import dev.weir.engine.records.NoticeRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The complete history of an organisation, built from its moves. */
final class MoveHistory {
    final Map<String, RunHistory> runs = new LinkedHashMap<>();
    /** All versions of each workflow, oldest first. */
    final SortedMap<String, List<Move.WorkflowRegistered>> workflows = new TreeMap<>();

    /** Units whose claims have ended and that have not moved since. */
    private final Set<UnitId> released = new HashSet<>();

    /** The dead letters, oldest first. */
    final List<DeadLetterRecord> deadLetters = new ArrayList<>();

    /** The notices, oldest first. */
    final List<NoticeRecord> notices = new ArrayList<>();

    final List<AuditEntry> audit = new ArrayList<>();
    ExecutionCounts counts = ExecutionCounts.NONE;

    final EventHistory events = new EventHistory();

    /** A run, active or ended. */
    static final class RunHistory {
        RunRow row;

        @Nullable
        Long endedAt;

        final Map<UnitId, StepHistory> steps = new HashMap<>();

        RunHistory(RunRow row) {
            this.row = row;
        }
    }

    /**
     * A step or item, and the time of its end.
     *
     * @param grantedAt the time of the grant of its live claim, or of the claim with which it ended
     */
    record StepHistory(
            StepRow row, @Nullable Long endedAt, @Nullable Long grantedAt) {}

    void apply(List<Move> moves) {
        moves.forEach(this::apply);
    }

    private void apply(Move move) {
        counts = counts.plus(move);
        switch (move) {
            case Move.RunAccepted accepted -> runs.put(accepted.row().id(), new RunHistory(accepted.row()));
            case Move.RunMoved moved -> {
                RunHistory run = get(moved.row().id());
                run.row = moved.row();
                run.endedAt = moved.row().state().ended() ? moved.at() : null;
            }
            case Move.StepMoved moved -> applyStepMove(moved);
            case Move.ItemCreated made -> put(made.row(), made.at(), null);
            case Move.Granted granted ->
                put(granted.row(), granted.at(), granted.claim().grantedAt());
            case Move.StepPutAhead ahead -> put(ahead.row(), ahead.at(), null);
            case Move.OutputAmended amended -> put(amended.row(), amended.at(), null);
            case Move.Resumed resumed ->
                put(resumed.row(), resumed.at(), resumed.claim().grantedAt());
            case Move.WorkflowRegistered added ->
                workflows
                        .computeIfAbsent(added.workflow().name(), ignored -> new ArrayList<>())
                        .add(added);
            case Move.RunStopping stopping -> change(stopping.run(), row -> row.withEnding(stopping.ending()));
            case Move.RunChanged changed ->
                change(changed.run(), row -> row.with(changed.limitNeeds(), changed.detail()));
            case Move.StepChanged changed ->
                get(changed.unit().run())
                        .steps
                        .computeIfPresent(
                                changed.unit(),
                                (unit, step) ->
                                        new StepHistory(step.row.with(changed.detail()), step.endedAt, step.grantedAt));
            case Move.RunOverridden ignored -> {}
            case Move.KeyHeld ignored -> {}
            case Move.OfEvent ofEvent -> events.apply(ofEvent);
            case Move.SignalKept ignored -> {}
            case Move.SignalTaken ignored -> {}
            case Move.DeadlineNear ignored -> {}
            case Move.FenceRaised ignored -> {}
            case Move.ListeningRecorded ignored -> {}
            case Move.Extended ignored -> {}
            case Move.Released release -> released.add(release.unit());
            case Move.KeyPinned ignored -> {}
            case Move.KeyUnpinned ignored -> {}
            case Move.RunLimitsConfigured ignored -> {}
            case Move.RunHeld ignored -> {}
            case Move.KeyPaused ignored -> {}
            case Move.KeyResumed ignored -> {}
            case Move.RateReset ignored -> {}
            case Move.ModuleRegistered ignored -> {}
            case Move.OfAttention change -> applyAttention(change);
            case Move.Audited audited -> audit.add(audited.entry());
            case Move.OfAccess ignored -> {}
            case Move.OfStops ignored -> {}
        }
    }

    private void applyAttention(Move.OfAttention change) {
        switch (change) {
            case Move.DeadLettered dead ->
                deadLetters.add(new DeadLetterRecord(dead.letter(), DeadLetter.State.OPEN, null, null));
            case Move.DeadLetterClosed closed ->
                deadLetters.replaceAll(each -> each.letter().number() != closed.number()
                        ? each
                        : new DeadLetterRecord(
                                each.letter(), closed.state(), Moment.toInstant(closed.at()), closed.redrivenAs()));
            case Move.NoticeOpened opened -> notices.add(new NoticeRecord(opened.notice(), null));
            case Move.NoticeClosed closed ->
                notices.replaceAll(each -> each.notice().equals(closed.notice())
                        ? new NoticeRecord(each.notice(), Moment.toInstant(closed.at()))
                        : each);
        }
    }

    private void change(String run, UnaryOperator<RunRow> change) {
        RunHistory found = get(run);
        found.row = change.apply(found.row);
    }

    private RunHistory get(String run) {
        RunHistory found = runs.get(run);
        if (found == null) {
            throw new IllegalStateException("expected run " + run + " in the history, found nothing");
        }
        return found;
    }

    /**
     * Records the new state of a unit. A unit that continues without its claim loses the time of its grant; a unit that
     * ends with its claim keeps it.
     */
    private void applyStepMove(Move.StepMoved moved) {
        StepRow row = moved.row();
        StepHistory before = get(row.id().run()).steps.get(row.id());
        boolean wasReleased = released.remove(row.id());
        boolean granted = wasReleased == row.state().ended();
        put(row, moved.at(), granted && before != null && before.endedAt == null ? before.grantedAt : null);
    }

    private void put(StepRow row, long at, @Nullable Long grantedAt) {
        Long endedAt = row.state().ended() ? (Long) at : null;
        get(row.id().run()).steps.put(row.id(), new StepHistory(row, endedAt, grantedAt));
    }

    /** An ended run and its steps, in their order and without items. */
    Optional<PastRun> pastRun(String id) {
        RunHistory run = runs.get(id);
        if (run == null || run.endedAt == null) {
            return Optional.empty();
        }
        Plan plan = run.row.request().plan();
        List<StepRow> steps = run.steps.values().stream()
                .map(StepHistory::row)
                .filter(row -> row.id().item() == UnitId.NO_ITEM)
                .sorted(Comparator.comparingInt(row -> plan.indexOf(row.id().step())))
                .toList();
        return Optional.of(new PastRun(run.row, steps));
    }

    /** The remembered data of ended runs. */
    List<EndedRun> endedRuns(Collection<String> ids) {
        List<EndedRun> found = new ArrayList<>();
        for (String id : ids) {
            RunHistory run = runs.get(id);
            if (run != null && run.endedAt != null) {
                Map<UnitId, EndedRun.Report> reports = new HashMap<>();
                for (StepHistory step : run.steps.values()) {
                    StepRow row = step.row;
                    if (row.reported()) {
                        reports.put(row.id(), new EndedRun.Report(row.fence(), row.reportFingerprint()));
                    }
                }
                found.add(new EndedRun(id, run.row.state(), run.row.request().fingerprint(), reports));
            }
        }
        return found;
    }
}
