package dev.weir.core.state;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitStart;
import dev.weir.core.limit.Lookback;
import dev.weir.core.limit.Pin;
import dev.weir.core.limit.RunLimitConfig;
import dev.weir.core.plan.ConcurrencyProfile;
import dev.weir.core.plan.PlannedStep;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Keeps the rows of an organisation in memory by applying moves. It does what a journal does with tables, and has no
 * rules of its own. The journal in memory of {@code testkit} has tables of its own, so that each of them is tested.
 */
public final class MemoryRows {
    private final Map<String, StoredRun> runs = new LinkedHashMap<>();
    private final List<LimitStart> starts = new ArrayList<>();
    private final SortedMap<LimitId.Shared, Pin> pins = new TreeMap<>();
    private final SortedMap<LimitId.Shared, RunLimitConfig> runLimits = new TreeMap<>();
    private final SortedMap<LimitId.Shared, Long> pauses = new TreeMap<>();
    private final SortedMap<LimitId.Shared, RetryAfterHold> holds = new TreeMap<>();
    private final SortedMap<String, ConcurrencyProfile> profiles = new TreeMap<>();
    private final SortedMap<String, WorkflowVersion> workflows = new TreeMap<>();
    private final EndedRuns endedRuns = new EndedRuns();
    private long nextRunNumber = 1;
    private long highestFence;
    private final SortedMap<String, TokenRow> tokens = new TreeMap<>();
    private AuditHead auditHead = AuditHead.EMPTY;
    private AttentionRows attention = AttentionRows.NONE;
    private final SortedMap<String, SecretRow> secrets = new TreeMap<>();
    private StopRows stops = StopRows.NONE;
    private final EventRowsBuilder events = new EventRowsBuilder();
    private List<ListeningSpan> listeningSpans = List.of();

    /** The rows of one run. Steps and claims are ordered by the index of the step, then by item. */
    private static final class StoredRun {
        private RunRow row;
        private final SortedMap<Long, StepRow> steps = new TreeMap<>();
        private final SortedMap<Long, Claim> claims = new TreeMap<>();
        private final SortedMap<Long, Signal> signals = new TreeMap<>();

        private StoredRun(RunRow row) {
            this.row = row;
        }

        private long position(UnitId unit) {
            PlannedStep step = row.request().plan().find(unit.step());
            if (step == null) {
                throw new IllegalArgumentException("expected a step of run " + unit.run() + ", found " + unit.step());
            }
            return ((long) step.index() << Integer.SIZE) | (unit.item() + 1);
        }

        private void put(StepRow step) {
            steps.put(position(step.id()), step);
        }
    }

    public void apply(List<Move> moves) {
        moves.forEach(this::apply);
    }

    private void apply(Move move) {
        switch (move) {
            case Move.RunAccepted accepted -> accept(accepted.row());
            case Move.RunMoved moved -> moveRun(moved);
            case Move.RunHeld held -> change(held.run(), row -> row.withHoldUntil(held.until()));
            case Move.RunStopping stopping -> change(stopping.run(), row -> row.withEnding(stopping.ending()));
            case Move.RunOverridden overridden ->
                change(overridden.run(), row -> row.withOverrides(overridden.overrides()));
            case Move.RunChanged changed ->
                change(changed.run(), row -> row.with(changed.limitNeeds(), changed.detail()));
            case Move.StepChanged changed -> change(changed);
            case Move.StepPutAhead ahead -> get(ahead.row().id().run()).put(ahead.row());
            case Move.OutputAmended amended -> get(amended.row().id().run()).put(amended.row());
            case Move.SignalKept kept -> keep(kept.signal());
            case Move.SignalTaken taken -> get(taken.run()).signals.remove(taken.number());
            case Move.DeadlineNear ignored -> {}
            case Move.StepMoved moved -> get(moved.row().id().run()).put(moved.row());
            case Move.ItemCreated made -> get(made.row().id().run()).put(made.row());
            case Move.Granted granted -> grant(granted);
            case Move.Resumed resumed -> {
                get(resumed.row().id().run()).put(resumed.row());
                put(resumed.claim());
            }
            case Move.FenceRaised raised -> highestFence = raised.highest();
            case Move.ListeningRecorded noted -> listeningSpans = noted.spans();
            case Move.Extended extended -> extend(extended);
            case Move.Released released -> {
                StoredRun run = get(released.unit().run());
                run.claims.remove(run.position(released.unit()));
            }
            case Move.KeyPinned pinned -> pins.put(pinned.limit(), pinned.pin());
            case Move.KeyUnpinned unpinned -> pins.remove(unpinned.limit());
            case Move.RunLimitsConfigured configured -> runLimits.put(configured.limit(), configured.config());
            case Move.KeyPaused paused -> pauses.put(paused.limit(), paused.until());
            case Move.KeyHeld held -> holds.put(held.limit(), held.hold());
            case Move.OfEvent ofEvent -> events.apply(ofEvent);
            case Move.KeyResumed resumed -> pauses.remove(resumed.limit());
            case Move.RateReset reset -> starts.removeIf(start -> start.limit().equals(reset.limit()));
            case Move.WorkflowRegistered registered ->
                workflows.put(
                        registered.workflow().name(),
                        WorkflowVersion.of(registered.workflow(), registered.version(), registered.hash()));
            case Move.ModuleRegistered registered -> profiles.put(registered.module(), registered.profile());
            case Move.TokenCreated created -> tokens.put(created.token().name(), created.token());
            case Move.TokenRevoked revoked -> tokens.remove(revoked.name());
            case Move.TokenRotated rotated -> tokens.put(rotated.token().name(), rotated.token());
            case Move.OfAttention change -> attention = attention(attention, change);
            case Move.Audited audited -> auditHead = audited.entry().head();
            case Move.AdministrationAudited ignored -> {}
            case Move.DeletionOrdered ignored -> {}
            case Move.SecretStored stored -> secrets.put(stored.secret().name(), stored.secret());
            case Move.SecretDeleted deleted -> secrets.remove(deleted.name());
            case Move.OfStops stop -> stops = stops.after(stop);
        }
    }

    private static AttentionRows attention(AttentionRows rows, Move.OfAttention change) {
        List<Notice> notices = new ArrayList<>(rows.notices());
        return switch (change) {
            case Move.DeadLettered dead ->
                new AttentionRows(dead.letter().number(), rows.openDeadLetters() + 1, rows.lastNotice(), notices);
            case Move.DeadLetterClosed ignored ->
                new AttentionRows(rows.lastDeadLetter(), rows.openDeadLetters() - 1, rows.lastNotice(), notices);
            case Move.NoticeOpened opened -> {
                notices.add(opened.notice());
                yield new AttentionRows(
                        rows.lastDeadLetter(),
                        rows.openDeadLetters(),
                        opened.notice().number(),
                        notices);
            }
            case Move.NoticeClosed closed -> {
                notices.remove(closed.notice());
                yield new AttentionRows(rows.lastDeadLetter(), rows.openDeadLetters(), rows.lastNotice(), notices);
            }
        };
    }

    private void accept(RunRow row) {
        runs.put(row.id(), new StoredRun(row));
        nextRunNumber = row.number() + 1;
    }

    private void moveRun(Move.RunMoved moved) {
        StoredRun run = get(moved.row().id());
        run.row = moved.row();
        starts.addAll(moved.starts());
        if (moved.row().state().ended()) {
            runs.remove(moved.row().id());
            Map<UnitId, EndedRun.Report> reports = new HashMap<>();
            for (StepRow step : run.steps.values()) {
                if (step.reported()) {
                    reports.put(step.id(), new EndedRun.Report(step.fence(), step.reportFingerprint()));
                }
            }
            int startFingerprint = run.row.request().fingerprint();
            endedRuns.add(new EndedRun(run.row.id(), run.row.state(), startFingerprint, reports));
        }
    }

    private void grant(Move.Granted granted) {
        StoredRun run = get(granted.claim().unit().run());
        run.put(granted.row());
        put(granted.claim());
        starts.addAll(granted.claim().starts());
        if (granted.startsInTick() > 0) {
            run.row = run.row.withGrant(granted.at(), granted.startsInTick());
        }
    }

    private void put(Claim claim) {
        StoredRun run = get(claim.unit().run());
        run.claims.put(run.position(claim.unit()), claim);
    }

    private void extend(Move.Extended extended) {
        StoredRun run = get(extended.unit().run());
        run.claims.computeIfPresent(
                run.position(extended.unit()), (position, claim) -> claim.extendedTo(extended.until()));
    }

    private void keep(Signal signal) {
        get(signal.run()).signals.put(signal.number(), signal);
    }

    private void change(Move.StepChanged changed) {
        StoredRun run = get(changed.unit().run());
        run.steps.computeIfPresent(run.position(changed.unit()), (position, row) -> row.with(changed.detail()));
    }

    private void change(String run, UnaryOperator<RunRow> how) {
        StoredRun found = get(run);
        found.row = how.apply(found.row);
    }

    private StoredRun get(String run) {
        StoredRun found = runs.get(run);
        if (found == null) {
            throw new IllegalArgumentException("expected a live run, found " + run);
        }
        return found;
    }

    /**
     * Returns the current rows, without operators' settings whose time is over and without starts that no longer count.
     */
    public OrganisationRows rows(long now) {
        List<RunRow> runRows = new ArrayList<>();
        List<StepRow> stepRows = new ArrayList<>();
        List<Claim> claims = new ArrayList<>();
        List<Signal> signals = new ArrayList<>();
        for (StoredRun run : runs.values()) {
            runRows.add(run.row);
            stepRows.addAll(run.steps.values());
            claims.addAll(run.claims.values());
            signals.addAll(run.signals.values());
        }
        pins.values().removeIf(pin -> pin.until() <= now);
        pauses.values().removeIf(until -> until <= now);
        holds.values().removeIf(hold -> hold.until() <= now);
        var operators = new OperatorRows(pins, runLimits, pauses, holds);
        return new OrganisationRows(
                runRows,
                stepRows,
                claims,
                signals,
                counting(LongestPeriods.of(runRows, stepRows, operators.allPins()), now),
                operators,
                profiles,
                workflows,
                endedRuns.all(),
                nextRunNumber,
                highestFence,
                listeningSpans,
                new AccessRows(tokens, auditHead, secrets, stops),
                events.rows(),
                attention);
    }

    /** Returns the starts that can still count. */
    private List<LimitStart> counting(LongestPeriods longestPeriods, long now) {
        Map<LimitId.Shared, Long> cutoffs = longestPeriods.cutoffs(starts, now);
        long shortest = Lookback.cutoff(0, now);
        return starts.stream()
                .filter(start -> start.at() > cutoffs.getOrDefault(start.limit(), shortest))
                .toList();
    }
}
