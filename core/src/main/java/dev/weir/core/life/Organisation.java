package dev.weir.core.life;

import dev.weir.core.admission.Admission;
import dev.weir.core.admission.Explanation;
import dev.weir.core.admission.Hold;
import dev.weir.core.admission.LimitSnapshot;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitStart;
import dev.weir.core.limit.Lookback;
import dev.weir.core.limit.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
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

    final Admission admission = new Admission();
    final TimerQueue timers = new TimerQueue();
    final DecisionBudget budget = new DecisionBudget();
    final MoveCollector moves = new MoveCollector(budget);
    final ListeningLog listening = new ListeningLog();
    final LiveRuns runs = new LiveRuns();

    /** The newest version of each workflow, by its name. */
    final SortedMap<String, WorkflowVersion> workflows = new TreeMap<>();

    final EndedRuns ended = new EndedRuns();
    final ModuleDefaults profiles = new ModuleDefaults();
    final OperatorSettings operated = new OperatorSettings();
    final PollTable polls = new PollTable(this);
    final DemandRefresh askingAnew = new DemandRefresh(this);
    final ClaimLifecycle claims = new ClaimLifecycle(this);
    final InputRequests inputs = new InputRequests(this);
    final Readiness readiness = new Readiness(this);
    final StepLifecycle steps = new StepLifecycle(this);
    final AttemptOutcome tries = new AttemptOutcome(this);
    final SignalDelivery signals = new SignalDelivery(this);
    private final Suggestions hints = new Suggestions();
    final MissingData remedies = new MissingData(this);
    final ChildRuns children = new ChildRuns(this);
    final Compensations compensations = new Compensations(this);
    final FanOutLifecycle fanOuts = new FanOutLifecycle(this);
    final RunLifecycle lives = new RunLifecycle(this);
    /** The plans that steps can invoke; null if steps invoke nothing, and workers do what Weir would do itself. */
    final @Nullable PlanDirectory plans;

    long nextNumber = 1;
    /** The highest fence ever granted. The journal stores it separately, so that it survives the rows of claims. */
    long highestFence;
    /** The highest fence when this memory was created. It is not known which claims had fences up to this one. */
    long fencesBefore;

    private long lastNow = Long.MIN_VALUE;

    /** Creates an organisation whose steps invoke and emit nothing by themselves, as in a forecast. */
    public Organisation() {
        this(null);
    }

    public Organisation(@Nullable PlanDirectory plans) {
        this.plans = plans;
    }

    /**
     * Restores an organisation from its stored rows, completely, before the first grant. The caller decides if workers
     * need time to renew their claims first, because it knows for how long they could not be heard.
     */
    public static Organisation restore(OrganisationRows rows, long now) {
        return OrganisationRestore.from(rows, null, now);
    }

    /** Restores an organisation whose steps can invoke runs. */
    public static Organisation restore(OrganisationRows rows, @Nullable PlanDirectory plans, long now) {
        return OrganisationRestore.from(rows, plans, now);
    }

    /** Returns all that must survive a restart, except the starts (see {@link OrganisationRows}). */
    public OrganisationRows rows() {
        List<RunRow> runRows = new ArrayList<>();
        List<StepRow> stepRows = new ArrayList<>();
        List<Claim> claimRows = new ArrayList<>();
        List<Signal> signalRows = new ArrayList<>();
        for (Run run : runs) {
            runRows.add(run.row());
            for (RunStep step : run.steps) {
                step.addTo(stepRows, claimRows);
            }
            for (RunStep step : run.undoings()) {
                step.addTo(stepRows, claimRows);
            }
            signalRows.addAll(run.signals.values());
        }
        operated.forget(lastNow);
        return new OrganisationRows(
                runRows,
                stepRows,
                claimRows,
                signalRows,
                List.of(),
                operated.pins,
                operated.pauses,
                operated.holds,
                profiles.all(),
                workflows,
                ended.all(),
                nextNumber,
                highestFence,
                listening.spans());
    }

    /** Decides a command. The next {@link #advance} uses what the command made possible, such as freed capacity. */
    public <A> Decision<A> handle(Command<A> command, long now) {
        at(now);
        budget.beginPart();
        A answer = command.decide(this, now);
        return new Decision<>(answer, moves.take());
    }

    /** Fires due timers, then starts all that may start. If that is too much for one call, the rest is due at once. */
    public AdvanceResult advance(long now) {
        at(now);
        budget.beginAdvance();
        int fired = 0;
        for (Timer due = timers.takeDue(now); due != null; due = fired < TIMERS_MAX ? timers.takeDue(now) : null) {
            fire(due, now);
            fired = budget.isSpent() ? TIMERS_MAX : fired + 1;
        }
        if (listening.note(now)) {
            moves.add(new Move.ListeningNoted(listening.spans(), now));
        }
        claims.goOn(now);
        readiness.goOn(now);
        fanOuts.goOn(now);
        askingAnew.goOn(now);
        polls.letIn(now);
        lives.serveRuns(now);
        inputs.handOn(now);
        int passes = 0;
        do {
            claims.granted(admission.pass(now), now);
            passes++;
        } while (admission.pending() && passes < PASSES_MAX && !budget.isSpent());
        askingAnew.followUp();
        budget.renew();
        return new AdvanceResult(polls.takeServed(now), moves.take());
    }

    /** True if the commands since the last advance used up the budget of one decision. An advance should come next. */
    public boolean hasSpentItsBudget() {
        return budget.isSpent();
    }

    /** True if those commands cost so much that workers' reports, too, should wait for the next decision. */
    public boolean hasSpentItsReports() {
        return budget.isSpentOnReports();
    }

    /** The units of work that all decisions have cost since the organisation was restored. */
    public long unitsSpent() {
        return budget.counter.units();
    }

    /** The step or item on which the last command or the last advance spent most. */
    public Optional<UnitId> heaviest() {
        return Optional.ofNullable(budget.heaviest()).map(Unit::id);
    }

    /** The latest time at which the next {@link #advance} is due if no command comes. */
    public long nextWakeup() {
        if (readiness.unfinished() || claims.unfinished() || fanOuts.unfinished()) {
            return lastNow;
        }
        if (askingAnew.unfinished() || admission.pending() || !missingStarts().isEmpty()) {
            return lastNow;
        }
        return Math.min(Math.min(timers.next(), listening.nextNote()), admission.nextWakeup());
    }

    /** Notes until when workers were not heard. Claims do not expire for a while, so that workers can renew them. */
    public void heardFrom(long at) {
        listening.heardFrom(at);
    }

    /** Returns the newest registered version of a workflow. */
    public Optional<WorkflowVersion> findWorkflow(String name) {
        return Optional.ofNullable(workflows.get(name));
    }

    /** Suggests the registered workflow whose name is nearest to an unknown name. */
    public Optional<String> findNearestWorkflow(String name, long now) {
        return hints.nearest(name, workflows.keySet(), now);
    }

    /**
     * Notes that the organisation was restored from rows with only as many starts as the rate periods of that time
     * need. If a longer period appears later, older starts must be read before it is judged (see {@link
     * #missingStarts}).
     */
    public void startsAreCut(OrganisationRows from, long now) {
        var periods = LongestPeriods.asked(from.runs(), from.steps(), from.pins());
        admission.startsAreCut(periods.leftOutUntil(from.starts(), now), Lookback.after(0, now));
    }

    /** The limits whose older starts must be read before their rates can grant anything more. */
    public List<LimitId.Shared> missingStarts() {
        return admission.missingStarts();
    }

    /** Adds the starts of limits that were missing, oldest first. Starts that are already known do no harm. */
    public void learnStarts(Map<LimitId.Shared, List<LimitStart>> starts) {
        starts.forEach((limit, older) -> admission.learn(limit, older, lastNow));
    }

    /** Remembers runs that ended long ago, read from history, so that a repeated request gets its first answer. */
    public void remember(List<EndedRun> fromHistory) {
        for (EndedRun run : fromHistory) {
            if (!runs.contains(run.run()) && ended.find(run.run()).isEmpty()) {
                ended.add(run);
            }
        }
    }

    /**
     * Forgets the ended runs, because some may have been removed from history; the caller looks up the others again. If
     * the id of a removed run is used again, its fences continue above those of the removed run's steps.
     */
    public void forgetEnded() {
        ended.clear();
        fencesBefore = highestFence;
    }

    /** Finds a live run. */
    public Optional<RunRow> findRun(String run) {
        return Optional.ofNullable(runs.get(run)).map(Run::row);
    }

    /** Finds the state of a live run, or of an ended run that is still remembered here. */
    public Optional<RunState> findState(String run) {
        Run living = runs.get(run);
        return living == null ? findEnded(run) : Optional.of(living.state);
    }

    /** Finds the final state of an ended run, as long as it is remembered here. */
    public Optional<RunState> findEnded(String run) {
        return ended.find(run).map(EndedRun::state);
    }

    /** Finds a step or item of a live run. */
    public Optional<StepRow> findStep(UnitId id) {
        return Optional.ofNullable(find(id)).map(Unit::row);
    }

    /** Finds the live claim of a step or item. */
    public Optional<Claim> findClaim(UnitId id) {
        return Optional.ofNullable(find(id)).map(unit -> unit.lease).map(lease -> lease.claim);
    }

    /** All live claims, in no order. */
    public List<Claim> claims() {
        return claims.all();
    }

    /** All claimed units, in no order. */
    public List<ClaimedUnit> claimed() {
        return claims.units();
    }

    /** The number of the oldest live run, or of the next run if none is live. */
    public long firstRun() {
        Run first = runs.first();
        return first == null ? nextNumber : first.number();
    }

    /**
     * Returns the live runs with numbers above {@code after} and up to {@code last}, in that order. The cost is
     * proportional to the result if each call continues where the last one ended.
     */
    public List<RunRow> runsBetween(long after, long last) {
        return runs.slice(after, last).stream().map(Run::row).toList();
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
        at(now);
        List<String> wrong = new ArrayList<>();
        for (Run run : runs.slice(after, last)) {
            if (run.gate != null) {
                wrong.addAll(admission.correct(run.gate, now));
            }
        }
        wrong.addAll(admission.correctLimits(now));
        return wrong;
    }

    /** Returns the first steps and items of a run that are neither blocked nor ended, in definition order. */
    public List<StepRow> openSteps(String run, int most) {
        Run living = runs.get(run);
        return living == null ? List.of() : living.openSteps(most);
    }

    /** Explains why a step or item that waits for its limits does not start. */
    public Optional<Explanation> why(UnitId id, long now) {
        return Optional.ofNullable(find(id)).map(unit -> unit.ticket).map(ticket -> admission.explain(ticket, now));
    }

    /** The step or item that capacity is reserved for because it was overtaken too often, if any. */
    public Optional<UnitId> reserver() {
        return admission.reserver().map(ticket -> ticket.subject() instanceof Unit unit ? unit.id() : null);
    }

    /** The steps and items that rate windows are reserved for because they were overtaken too often, oldest first. */
    public List<UnitId> windowReservers() {
        return admission.windowReservers().stream()
                .map(ticket -> ((Unit) ticket.subject()).id())
                .toList();
    }

    /** Explains why a queued run does not start. */
    public Optional<Explanation> why(String run, long now) {
        return Optional.ofNullable(runs.get(run))
                .map(queued -> queued.ticket)
                .map(ticket -> admission.explain(ticket, now));
    }

    /** Returns the first hold of a step or item, of all that {@link #why} would list. */
    public Optional<Hold> heldBy(UnitId id, long now) {
        return Optional.ofNullable(find(id)).map(unit -> unit.ticket).flatMap(ticket -> admission.refusal(ticket, now));
    }

    /** Returns the first hold of a queued run. */
    public Optional<Hold> heldBy(String run, long now) {
        return Optional.ofNullable(runs.get(run))
                .map(found -> found.ticket)
                .flatMap(ticket -> admission.refusal(ticket, now));
    }

    /** All known shared limits, ordered by id. */
    public List<LimitSnapshot> limits(long now) {
        return admission.directory().limits(now);
    }

    /** True if a poll for the module would be given work. */
    public boolean couldStart(String module) {
        return admission.couldStart(module);
    }

    /** Ids of the steps and items of a run that are in flight, oldest grant first. */
    public List<UnitId> running(String run) {
        List<UnitId> running = new ArrayList<>();
        Run found = runs.get(run);
        if (found != null && found.gate != null) {
            found.gate.running().forEach(subject -> running.add(((Unit) subject).id()));
        }
        return running;
    }

    @Nullable
    Unit find(UnitId id) {
        Run run = runs.get(id.run());
        return run == null ? null : run.find(id);
    }

    private void fire(Timer timer, long now) {
        switch (timer) {
            case LiveClaim lease -> claims.ended(lease, now);
            case Unit unit -> steps.due(unit, now);
            case Run run -> lives.due(run, now);
        }
    }

    void at(long now) {
        if (now < lastNow) {
            throw new IllegalArgumentException(
                    "time must not go back, expected at least " + lastNow + ", found " + now);
        }
        lastNow = now;
    }
}
