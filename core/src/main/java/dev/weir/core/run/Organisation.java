package dev.weir.core.run;

import dev.weir.core.admission.Explanation;
import dev.weir.core.admission.Hold;
import dev.weir.core.admission.LimitSnapshot;
import dev.weir.core.command.Command;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitStart;
import dev.weir.core.limit.Lookback;
import dev.weir.core.limit.Moment;
import dev.weir.core.plan.PlanDirectory;
import dev.weir.core.state.AccessRows;
import dev.weir.core.state.Attribution;
import dev.weir.core.state.Claim;
import dev.weir.core.state.ClaimedUnit;
import dev.weir.core.state.EndedRun;
import dev.weir.core.state.LongestPeriods;
import dev.weir.core.state.Move;
import dev.weir.core.state.NoticeSettings;
import dev.weir.core.state.OrganisationRows;
import dev.weir.core.state.RunRow;
import dev.weir.core.state.RunState;
import dev.weir.core.state.Signal;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.WorkflowVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The live state of one organisation in memory: its runs, claims, waiting tickets and timers. Commands and time come
 * in, moves come out; the caller commits the moves before it answers. Pure and single-threaded. Times are in
 * microseconds (see {@link Moment}) and must not go back from one call to the next.
 */
public final class Organisation {
    /** The largest number of timers that fire in one advance, so that other organisations get their turn. */
    static final int TIMERS_MAX = 4_096;
    /** The largest number of admission passes in one advance. Each pass starts a bounded number of tickets. */
    static final int PASSES_MAX = 8;

    final LiveOrganisation live;
    private final LiveControls controls;
    private long lastNow = Long.MIN_VALUE;

    /** Creates an organisation whose steps invoke and emit nothing by themselves, as in a forecast. */
    public Organisation() {
        this(null);
    }

    public Organisation(@Nullable PlanDirectory plans) {
        this.live = new LiveOrganisation(plans);
        this.controls = new LiveControls(live);
    }

    /**
     * Restores an organisation from its stored rows, completely, before the first grant. The caller decides if workers
     * need time to renew their claims first, because it knows for how long they could not be heard.
     */
    public static Organisation restore(OrganisationRows rows, long now) {
        return restore(rows, null, now);
    }

    /** Restores an organisation whose steps can invoke runs. */
    public static Organisation restore(OrganisationRows rows, @Nullable PlanDirectory plans, long now) {
        var org = new Organisation(plans);
        org.advanceClock(now);
        OrganisationRestore.restore(org.live, rows, now);
        return org;
    }

    /** Returns all that must survive a restart, except the starts (see {@link OrganisationRows}). */
    public OrganisationRows rows() {
        List<RunRow> runRows = new ArrayList<>();
        List<StepRow> stepRows = new ArrayList<>();
        List<Claim> claimRows = new ArrayList<>();
        List<Signal> signalRows = new ArrayList<>();
        for (Run run : live.runs) {
            runRows.add(run.row());
            for (RunStep step : run.steps) {
                step.addTo(stepRows, claimRows);
            }
            for (RunStep step : run.compensationSteps()) {
                step.addTo(stepRows, claimRows);
            }
            signalRows.addAll(run.signals.values());
        }
        return new OrganisationRows(
                runRows,
                stepRows,
                claimRows,
                signalRows,
                List.of(),
                live.operatorSettings.rows(lastNow),
                live.moduleDefaults.all(),
                live.workflows.all(),
                live.endedRuns.all(),
                live.nextRunNumber,
                live.highestFence,
                live.listeningLog.spans(),
                new AccessRows(live.tokens.all(), live.audit.head(), live.secrets.all(), live.stops.rows()),
                live.events.rows(),
                live.deadLetters.rows());
    }

    /** Decides a command of the Java program that contains the node. */
    public <A> Decision<A> handle(Command<A> command, long now) {
        return handle(command, Attribution.PROGRAM, now);
    }

    /** Decides a command. The next {@link #advance} uses what the command made possible, such as freed capacity. */
    public <A> Decision<A> handle(Command<A> command, Attribution by, long now) {
        advanceClock(now);
        live.budget.resetHeaviest();
        A answer = live.audit.decide(command, by, controls, now);
        return new Decision<>(answer, live.moves.take());
    }

    /** Fires due timers, then starts all that may start. If that is too much for one call, the rest is due at once. */
    public AdvanceResult advance(long now) {
        advanceClock(now);
        live.budget.beginAdvance();
        int fired = 0;
        for (Timer due = live.timers.takeDue(now);
                due != null;
                due = fired < TIMERS_MAX ? live.timers.takeDue(now) : null) {
            live.fire(due, now);
            fired = live.budget.isSpent() ? TIMERS_MAX : fired + 1;
        }
        if (live.listeningLog.recordIfDue(now)) {
            live.moves.add(new Move.ListeningRecorded(live.listeningLog.spans(), now));
        }
        live.claims.resume(now);
        live.readiness.advance(now);
        live.fanOuts.advance(now);
        live.demandRefresh.advance(now);
        live.polls.admitDelayed(now);
        live.runLifecycle.keepOwnPollOpen(now);
        live.startWork(now);
        live.holdWatch.recordHolds(!live.stops.isSuspended(), now);
        live.demandRefresh.beginRepeatedLaps();
        live.notices.advance(now);
        live.budget.reset();
        return new AdvanceResult(live.polls.takeAnswered(now), live.moves.take());
    }

    /** True while the organisation is suspended: time goes on and reports are accepted, but nothing starts. */
    public boolean isSuspended() {
        return live.stops.isSuspended();
    }

    /** True if the commands since the last advance used up the budget of one decision. An advance should come next. */
    public boolean isBudgetSpent() {
        return live.budget.isSpent();
    }

    /** True if those commands cost so much that workers' reports, too, should wait for the next decision. */
    public boolean isReportBudgetSpent() {
        return live.budget.isSpentForReports();
    }

    /** Charges the decision for work that is done for it elsewhere, such as reading a plan. */
    public void charge(long units) {
        live.budget.spend(units);
    }

    /** The units of work that all decisions have cost since the organisation was restored. */
    public long unitsSpent() {
        return live.budget.counter.units();
    }

    /** The step or item on which the last command or the last advance spent most. */
    public Optional<UnitId> heaviestUnit() {
        return Optional.ofNullable(live.budget.heaviest()).map(Unit::id);
    }

    /** The latest time at which the next {@link #advance} is due if no command comes. */
    public long nextWakeup() {
        if (!missingStarts().isEmpty()) {
            return lastNow;
        }
        long next = Math.min(live.listeningLog.nextRecordAt(), live.notices.nextCheck());
        return Math.min(next, live.nextWorkAt(lastNow));
    }

    /** Sets the thresholds of notices. They are settings of the node and are not stored. */
    public void configureNotices(NoticeSettings settings) {
        live.notices.configure(settings);
    }

    /** Notes until when workers were not heard. Claims do not expire for a while, so that workers can renew them. */
    public void startListening(long at) {
        live.listeningLog.startListening(at);
    }

    /** Returns the newest registered version of a workflow. */
    public Optional<WorkflowVersion> findWorkflow(String name) {
        return live.workflows.findWorkflow(name);
    }

    /** Suggests the registered workflow whose name is nearest to an unknown name. */
    public Optional<String> findNearestWorkflow(String name, long now) {
        return live.workflows.findNearest(name, now);
    }

    /**
     * Notes that the rows had only as many starts as the rate periods of that time need. If a longer period appears
     * later, older starts must be read before it is judged (see {@link #missingStarts}).
     */
    public void markStartsTruncated(OrganisationRows from, long now) {
        var periods =
                LongestPeriods.of(from.runs(), from.steps(), from.operators().allPins());
        live.admission.markStartsTruncated(periods.cutoffs(from.starts(), now), Lookback.cutoff(0, now));
    }

    /** The limits whose older starts must be read before their rates can grant anything more. */
    public List<LimitId.Shared> missingStarts() {
        return live.admission.limitsMissingStarts();
    }

    /** Adds the starts of limits that were missing, oldest first. Starts that are already known do no harm. */
    public void addMissingStarts(Map<LimitId.Shared, List<LimitStart>> starts) {
        starts.forEach((limit, older) -> live.admission.addMissingStarts(limit, older, lastNow));
    }

    /** Remembers runs that ended long ago, read from history, so that a repeated request gets its first answer. */
    public void rememberEnded(List<EndedRun> fromHistory) {
        for (EndedRun run : fromHistory) {
            if (!live.runs.contains(run.run()) && live.endedRuns.find(run.run()).isEmpty()) {
                live.endedRuns.add(run);
            }
        }
    }

    /**
     * Forgets the ended runs, because history may have lost some. If the id of such a run is used again, its fences
     * continue above those of the removed run's steps.
     */
    public void forgetEnded() {
        live.endedRuns.clear();
        live.fenceFloor = live.highestFence;
    }

    /** Finds a live run. */
    public Optional<RunRow> findRun(String run) {
        return Optional.ofNullable(live.runs.find(run)).map(Run::row);
    }

    /** Finds the state of a live run, or of an ended run that is still remembered here. */
    public Optional<RunState> findState(String run) {
        Run liveRun = live.runs.find(run);
        return liveRun == null ? findEnded(run) : Optional.of(liveRun.state);
    }

    /** Finds the final state of an ended run, as long as it is remembered here. */
    public Optional<RunState> findEnded(String run) {
        return live.endedRuns.find(run).map(EndedRun::state);
    }

    /** Finds a step or item of a live run. */
    public Optional<StepRow> findStep(UnitId id) {
        return Optional.ofNullable(live.find(id)).map(Unit::row);
    }

    /** Finds the live claim of a step or item. */
    public Optional<Claim> findClaim(UnitId id) {
        return Optional.ofNullable(live.find(id)).map(unit -> unit.liveClaim).map(liveClaim -> liveClaim.claim);
    }

    /** All live claims, in no order. */
    public List<Claim> claims() {
        return live.claims.all();
    }

    /** All claimed units, in no order. */
    public List<ClaimedUnit> claimedUnits() {
        return live.claims.claimedUnits();
    }

    /** The number of the oldest live run, or of the next run if none is live. */
    public long firstRunNumber() {
        Run first = live.runs.first();
        return first == null ? live.nextRunNumber : first.number();
    }

    /**
     * Returns the live runs with numbers above {@code after} and up to {@code last}, in that order. The cost is
     * proportional to the result if each call continues where the last one ended.
     */
    public List<RunRow> runsBetween(long after, long last) {
        return live.runs.slice(after, last).stream().map(Run::row).toList();
    }

    /**
     * Recomputes the usage of some runs' limits, and of the next shared limits, from the live claims. Returns a
     * description of each error; the usage is right afterwards, and the next advance starts what can start because of
     * that.
     *
     * @param after the number of the run before the first of those runs
     * @param last the number of the last of those runs
     */
    public List<String> correctUsage(long after, long last, long now) {
        advanceClock(now);
        List<String> errors = new ArrayList<>();
        for (Run run : live.runs.slice(after, last)) {
            if (run.limiter != null) {
                errors.addAll(live.admission.correctRun(run.limiter, now));
            }
        }
        errors.addAll(live.admission.correctLimits(now));
        return errors;
    }

    /** Returns the first steps and items of a run that are neither blocked nor ended, in definition order. */
    public List<StepRow> openSteps(String run, int max) {
        Run liveRun = live.runs.find(run);
        return liveRun == null ? List.of() : liveRun.openSteps(max);
    }

    /** Explains why a step or item that waits for its limits does not start. */
    public Optional<Explanation> why(UnitId id, long now) {
        return Optional.ofNullable(live.find(id))
                .map(unit -> unit.ticket)
                .map(ticket -> live.admission.explain(ticket, now));
    }

    /** The step or item for which capacity is reserved, if any. */
    public Optional<UnitId> reserver() {
        return live.admission.reserver().map(ticket -> ticket.subject() instanceof Unit unit ? unit.id() : null);
    }

    /** The steps and items that rate windows are reserved for because they were overtaken too often, oldest first. */
    public List<UnitId> windowReservers() {
        return live.admission.windowReservers().stream()
                .map(ticket -> ((Unit) ticket.subject()).id())
                .toList();
    }

    /** Explains why a queued run does not start. */
    public Optional<Explanation> why(String run, long now) {
        return Optional.ofNullable(live.runs.find(run))
                .map(queued -> queued.ticket)
                .map(ticket -> live.admission.explain(ticket, now));
    }

    /** Returns the first hold of a step or item, of all that {@link #why} would list. */
    public Optional<Hold> firstHold(UnitId id, long now) {
        return Optional.ofNullable(live.find(id))
                .map(unit -> unit.ticket)
                .flatMap(ticket -> live.admission.firstHold(ticket, now));
    }

    /** Returns the first hold of a queued run. */
    public Optional<Hold> firstHold(String run, long now) {
        return Optional.ofNullable(live.runs.find(run))
                .map(found -> found.ticket)
                .flatMap(ticket -> live.admission.firstHold(ticket, now));
    }

    /** Shows parts of the live state, for queries that explain it. */
    public OrganisationView view() {
        return new OrganisationView(live);
    }

    /** All known shared limits, ordered by id. */
    public List<LimitSnapshot> limits(long now) {
        return live.admission.directory().limits(now);
    }

    /** True if a poll for the module would be given work. */
    public boolean hasWorkFor(String module) {
        return !isSuspended() && live.admission.hasAdmissible(module);
    }

    /** Ids of the steps and items of a run that are in flight, oldest grant first. */
    public List<UnitId> running(String run) {
        Run found = live.runs.find(run);
        return found == null ? List.of() : found.running();
    }

    private void advanceClock(long now) {
        if (now < lastNow) {
            throw new IllegalArgumentException(
                    "time must not go back, expected at least " + lastNow + ", found " + now);
        }
        lastNow = now;
    }
}
