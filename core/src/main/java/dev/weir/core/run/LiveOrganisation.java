package dev.weir.core.run;

import dev.weir.core.admission.Admission;
import dev.weir.core.plan.PlanDirectory;
import dev.weir.core.state.EndedRuns;
import dev.weir.core.state.UnitId;
import org.jspecify.annotations.Nullable;

/**
 * The live objects of an organisation, and the rules that move them. The rules call each other through it; everything
 * else goes through {@link Organisation}.
 */
final class LiveOrganisation {
    final Admission admission = new Admission();
    final TimerQueue timers = new TimerQueue();
    final DecisionBudget budget = new DecisionBudget();
    final MoveCollector moves = new MoveCollector(budget);
    final ListeningLog listeningLog = new ListeningLog();
    final LiveRuns runs = new LiveRuns();
    final WorkflowRegistry workflows = new WorkflowRegistry(moves);
    final TokenRegistry tokens = new TokenRegistry(moves);
    final SecretRegistry secrets = new SecretRegistry(moves);
    final AuditTrail audit = new AuditTrail(moves);
    final DeadLetterRegistry deadLetters = new DeadLetterRegistry(this);
    final NoticeRegistry notices = new NoticeRegistry(this);
    final EndedRuns endedRuns = new EndedRuns();
    final ModuleDefaults moduleDefaults = new ModuleDefaults();
    final UnitTickets tickets = new UnitTickets(admission, moduleDefaults);
    final OperatorSettings operatorSettings = new OperatorSettings(admission, moves);
    final StopSettings stops = new StopSettings(operatorSettings, moves, timers);
    final DemandRefresh demandRefresh = new DemandRefresh(runs, tickets);
    final WorkerTable workers = new WorkerTable();
    final PollTable polls = new PollTable(admission, demandRefresh, workers);
    final ClaimLifecycle claims = new ClaimLifecycle(this);
    final InputRequests inputs = new InputRequests(this);
    final Readiness readiness = new Readiness(this);
    final StepLifecycle steps = new StepLifecycle(this);
    final AttemptOutcome attemptOutcome = new AttemptOutcome(this);
    final SignalDelivery signals = new SignalDelivery(this);
    final MissingData missingData = new MissingData(this);
    final ChildRuns childRuns = new ChildRuns(this);
    final Compensations compensations = new Compensations(this);
    final FanOutLifecycle fanOuts = new FanOutLifecycle(this);
    final RunLifecycle runLifecycle = new RunLifecycle(this);
    final HoldWatch holdWatch = new HoldWatch(admission, moves);
    final StartRules startRules = new StartRules(this);
    final EventDelivery events = new EventDelivery(this);
    final TriggeredRuns triggeredRuns = new TriggeredRuns(this);
    final DebounceTable debounce = new DebounceTable(this);
    final ScheduleTable schedules = new ScheduleTable(this);
    final LiveRunControl runControl = new LiveRunControl(this);
    /** The plans that steps can invoke; null if steps invoke nothing, and workers do what Weir would do itself. */
    final @Nullable PlanDirectory plans;

    long nextRunNumber = 1;
    /** The highest fence ever granted. The journal stores it separately, so that it survives the rows of claims. */
    long highestFence;

    /** The highest fence when this memory was created. It is not known which claims had fences up to this one. */
    long fenceFloor;

    LiveOrganisation(@Nullable PlanDirectory plans) {
        this.plans = plans;
    }

    /**
     * Gives workers and runs what their limits admit. If the organisation is suspended, nothing starts, but temporary
     * values of limits still end, because explanations and marks of held runs depend on them.
     */
    void startWork(long now) {
        if (stops.isSuspended()) {
            admission.expire(now);
            return;
        }
        inputs.assign(now);
        events.deliver(now);
        int passes = 0;
        do {
            claims.applyGrants(admission.pass(now), now);
            passes++;
        } while (admission.hasPendingWork() && passes < Organisation.PASSES_MAX && !budget.isSpent());
    }

    /** Returns the time at which {@link #startWork} has more to do if nothing happens until then. */
    long nextStartAt(long now) {
        if (stops.isSuspended()) {
            return admission.nextExpiry();
        }
        return admission.hasPendingWork() || events.hasPendingWork() ? now : admission.nextWakeup();
    }

    /** Returns the time at which something can start or continue if no command comes. */
    long nextWorkAt(long now) {
        boolean unfinished = readiness.hasPendingWork()
                || claims.hasPendingWork()
                || fanOuts.hasPendingWork()
                || demandRefresh.hasPendingWork()
                || holdWatch.hasPendingWork();
        return unfinished ? now : Math.min(timers.next(), nextStartAt(now));
    }

    /** Does what is due. The triggers of a suspended organisation wait. */
    void fire(Timer timer, long now) {
        switch (timer) {
            case LiveClaim liveClaim -> claims.handleTimer(liveClaim, now);
            case Unit unit -> steps.handleTimer(unit, now);
            case Run run -> runLifecycle.handleTimer(run, now);
            case OpenWindow window -> {
                if (!stops.isHeld(window)) {
                    debounce.close(window, now);
                }
            }
            case ActiveSchedule schedule -> {
                if (!stops.isHeld(schedule)) {
                    schedules.fire(schedule, now);
                }
            }
        }
    }

    /** Finds a step or item of a live run. */
    @Nullable
    Unit find(UnitId id) {
        Run run = runs.find(id.run());
        return run == null ? null : run.find(id);
    }
}
