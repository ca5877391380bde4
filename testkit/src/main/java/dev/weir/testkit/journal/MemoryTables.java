package dev.weir.testkit.journal;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitStart;
import dev.weir.core.limit.Lookback;
import dev.weir.core.limit.Pin;
import dev.weir.core.limit.RunLimitConfig;
import dev.weir.core.plan.ConcurrencyProfile;
import dev.weir.core.state.AccessRows;
import dev.weir.core.state.AttentionRows;
import dev.weir.core.state.AuditHead;
import dev.weir.core.state.Claim;
import dev.weir.core.state.EndedRun;
import dev.weir.core.state.ListeningSpan;
import dev.weir.core.state.LongestPeriods;
import dev.weir.core.state.Move;
import dev.weir.core.state.Notice;
import dev.weir.core.state.OperatorRows;
import dev.weir.core.state.OrganisationRows;
import dev.weir.core.state.RetryAfterHold;
import dev.weir.core.state.RunRow;
import dev.weir.core.state.SecretRow;
import dev.weir.core.state.Signal;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.StopRows;
import dev.weir.core.state.TokenRow;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.WorkflowVersion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * The tables of one organisation in the journal in memory. It applies moves one by one, as a database does, and has no
 * rules of its own. Tests compare it with rows that are computed in another way, without code of this class.
 */
final class MemoryTables {
    private final Map<String, RunTables> runs = new LinkedHashMap<>();
    private final List<LimitStart> starts = new ArrayList<>();
    private final SortedMap<LimitId.Shared, Pin> pins = new TreeMap<>();
    private final SortedMap<LimitId.Shared, RunLimitConfig> runLimits = new TreeMap<>();
    private final SortedMap<LimitId.Shared, Long> pauses = new TreeMap<>();
    private final SortedMap<LimitId.Shared, RetryAfterHold> holds = new TreeMap<>();
    private final SortedMap<String, ConcurrencyProfile> profiles = new TreeMap<>();
    private final SortedMap<String, WorkflowVersion> workflows = new TreeMap<>();
    /** The runs that ended last, oldest first. */
    private final Map<String, EndedRun> ended = new LinkedHashMap<>();

    private int endedUnits;
    private long nextNumber = 1;
    private long highestFence;
    private final SortedMap<String, TokenRow> tokens = new TreeMap<>();
    private AuditHead auditHead = AuditHead.EMPTY;
    private AttentionRows attention = AttentionRows.NONE;
    private final SortedMap<String, SecretRow> secrets = new TreeMap<>();
    private StopRows stops = StopRows.NONE;
    private final MemoryEvents events = new MemoryEvents();
    private List<ListeningSpan> listening = List.of();

    /** The rows of one run. Steps and claims are ordered by the index of the step, then by item. */
    private static final class RunTables {
        private RunRow row;
        private final SortedMap<Long, StepRow> steps = new TreeMap<>();
        private final SortedMap<Long, Claim> claims = new TreeMap<>();
        private final SortedMap<Long, Signal> signals = new TreeMap<>();

        private RunTables(RunRow row) {
            this.row = row;
        }

        private long rowKey(UnitId unit) {
            long index = row.request().plan().indexOf(unit.step());
            return (index << Integer.SIZE) | (unit.item() + 1);
        }

        private void put(StepRow step) {
            steps.put(rowKey(step.id()), step);
        }
    }

    void apply(List<Move> moves) {
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
            case Move.SignalKept kept -> storeSignal(kept.signal());
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
            case Move.ListeningRecorded noted -> listening = noted.spans();
            case Move.Extended extended -> extend(extended);
            case Move.Released released -> {
                RunTables run = get(released.unit().run());
                run.claims.remove(run.rowKey(released.unit()));
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
        runs.put(row.id(), new RunTables(row));
        nextNumber = row.number() + 1;
    }

    private void moveRun(Move.RunMoved moved) {
        RunTables run = get(moved.row().id());
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
            int fingerprint = run.row.request().fingerprint();
            storeEnded(new EndedRun(run.row.id(), run.row.state(), fingerprint, reports));
        }
    }

    /** Stores an ended run, and deletes the oldest ones above the bounds. */
    private void storeEnded(EndedRun run) {
        ended.put(run.run(), run);
        endedUnits += run.reports().size();
        var oldest = ended.values().iterator();
        while (ended.size() > EndedRun.RUNS_MAX || (endedUnits > EndedRun.UNITS_MAX && ended.size() > 1)) {
            endedUnits -= oldest.next().reports().size();
            oldest.remove();
        }
    }

    private void grant(Move.Granted granted) {
        RunTables run = get(granted.claim().unit().run());
        run.put(granted.row());
        put(granted.claim());
        starts.addAll(granted.claim().starts());
        if (granted.startsInTick() > 0) {
            run.row = run.row.withGrant(granted.at(), granted.startsInTick());
        }
    }

    private void put(Claim claim) {
        RunTables run = get(claim.unit().run());
        run.claims.put(run.rowKey(claim.unit()), claim);
    }

    private void extend(Move.Extended extended) {
        RunTables run = get(extended.unit().run());
        run.claims.computeIfPresent(run.rowKey(extended.unit()), (key, claim) -> withUntil(claim, extended.until()));
    }

    private static Claim withUntil(Claim claim, long until) {
        return new Claim(
                claim.unit(),
                claim.fence(),
                claim.worker(),
                claim.request(),
                claim.lease(),
                claim.grantedAt(),
                until,
                claim.timeoutAt(),
                claim.limitNeeds(),
                claim.starts(),
                claim.waited());
    }

    private void storeSignal(Signal signal) {
        get(signal.run()).signals.put(signal.number(), signal);
    }

    private void change(Move.StepChanged changed) {
        RunTables run = get(changed.unit().run());
        run.steps.computeIfPresent(run.rowKey(changed.unit()), (key, row) -> row.with(changed.detail()));
    }

    private void change(String run, UnaryOperator<RunRow> change) {
        RunTables found = get(run);
        found.row = change.apply(found.row);
    }

    private RunTables get(String run) {
        RunTables found = runs.get(run);
        if (found == null) {
            throw new IllegalArgumentException("expected a live run, found " + run);
        }
        return found;
    }

    boolean isSuspended() {
        return stops.suspension() != null;
    }

    /** Finds the claim of a step or item of a live run. */
    Optional<Claim> findClaim(UnitId unit) {
        RunTables run = runs.get(unit.run());
        return run == null ? Optional.empty() : Optional.ofNullable(run.claims.get(run.rowKey(unit)));
    }

    /** True if events, debounce windows or schedules wait. */
    boolean hasEventsUnderWay() {
        return events.hasWaiting();
    }

    /** Returns all starts of a limit, oldest first. */
    List<LimitStart> starts(LimitId.Shared limit) {
        return starts.stream().filter(start -> start.limit().equals(limit)).toList();
    }

    /**
     * Returns the current rows, without operators' settings whose time is over and without starts that no longer count.
     */
    OrganisationRows rows(long now) {
        List<RunRow> runRows = new ArrayList<>();
        List<StepRow> stepRows = new ArrayList<>();
        List<Claim> claims = new ArrayList<>();
        List<Signal> signals = new ArrayList<>();
        for (RunTables run : runs.values()) {
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
                countingStarts(LongestPeriods.of(runRows, stepRows, operators.allPins()), now),
                operators,
                profiles,
                workflows,
                List.copyOf(ended.values()),
                nextNumber,
                highestFence,
                listening,
                new AccessRows(tokens, auditHead, secrets, stops),
                events.rows(),
                attention);
    }

    /** Returns the starts that can still count. The newest start of a limit names the longest period before it. */
    private List<LimitStart> countingStarts(LongestPeriods longestPeriods, long now) {
        Map<LimitId.Shared, Long> periods = new HashMap<>();
        starts.forEach(start -> periods.put(start.limit(), start.longestPeriod()));
        longestPeriods.byLimit().forEach((limit, period) -> periods.merge(limit, period, Math::max));
        return starts.stream()
                .filter(start -> start.at() > Lookback.cutoff(periods.getOrDefault(start.limit(), 0L), now))
                .toList();
    }
}
