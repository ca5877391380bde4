package dev.weir.forecast;

import dev.weir.core.command.Assignment;
import dev.weir.core.command.Command;
import dev.weir.core.command.Heartbeat;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.plan.Plan;
import dev.weir.core.plan.PlannedStep;
import dev.weir.core.run.AdvanceResult;
import dev.weir.core.run.Organisation;
import dev.weir.core.run.OrganisationView;
import dev.weir.core.state.Claim;
import dev.weir.core.state.Move;
import dev.weir.core.state.RunRow;
import dev.weir.core.state.RunState;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import dev.weir.forecast.BacklogScenario.Bounds;
import dev.weir.forecast.BacklogScenario.End;
import dev.weir.forecast.BacklogScenario.Prediction;
import dev.weir.forecast.BacklogScenario.Target;
import dev.weir.forecast.EventCalendar.ExternalEvent;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Runs a copy of an organisation's unfinished work in virtual time until nothing waits any more. The organisation decides
 * all that it would decide in production. No new runs arrive, every attempt succeeds after its usual duration, and
 * nobody approves, answers or sends signals.
 */
public final class BacklogRunner {
    private static final long NONE = Long.MIN_VALUE;

    private final BacklogScenario scenario;
    private final Bounds bounds;
    private final Organisation org;
    private final OrganisationView view;
    private final SimulatedWorkers workers;
    private final EventCalendar calendar = new EventCalendar();
    private final HoldCensus census;
    private final Map<UnitId, SimulatedAttempt> attempts = new HashMap<>();
    private final Map<Plan, SampleData> samples = new HashMap<>();
    private final LimitId.@Nullable Shared target;
    private final long targetWaiting;
    private long targetEmptyAt = NONE;
    private long longestWait = NONE;
    private long events;
    private long now;

    /** An attempt in progress; without a pool if its worker is not known. */
    private record SimulatedAttempt(long fence, long lease, SimulatedWorkers.@Nullable Pool pool) {}

    private BacklogRunner(
            BacklogScenario scenario, @Nullable Command<?> change, LimitId.@Nullable Shared target, Bounds bounds) {
        this.scenario = scenario;
        this.bounds = bounds;
        this.now = scenario.now();
        this.org = Organisation.restore(scenario.rows(), now);
        this.view = org.view();
        this.workers = new SimulatedWorkers(scenario.workers());
        this.census = new HoldCensus(view, now);
        this.target = target;
        this.targetWaiting = target == null ? 0 : view.limits().waitingFor(target);
        org.claims().forEach(this::continueAttempt);
        if (change != null) {
            handle(change);
        }
    }

    /**
     * Predicts the course of the work.
     *
     * @param change the command of an operator that is applied at the beginning
     * @param target the limit whose waiting work is followed
     */
    public static Prediction predict(
            BacklogScenario scenario, @Nullable Command<?> change, LimitId.@Nullable Shared target, Bounds bounds) {
        return new BacklogRunner(scenario, change, target, bounds).run();
    }

    private Prediction run() {
        while (true) {
            advance();
            observe();
            if (view.modules().waiting() == 0) {
                return result(End.DRAINED);
            }
            long next = Math.min(calendar.nextTime(), view.nextWorkAt(now));
            if (next == Moment.NEVER) {
                return result(End.STUCK);
            }
            boolean tooFar = next - scenario.now() > bounds.time() / scenario.oneIn();
            if (tooFar || events >= bounds.events() || bounds.isOver().getAsBoolean()) {
                return result(End.CUT_OFF);
            }
            now = Math.max(now, next);
            handleDueEvents();
        }
    }

    private void observe() {
        census.observe(now);
        if (target != null && targetEmptyAt == NONE && view.limits().waitingFor(target) == 0) {
            targetEmptyAt = now;
        }
    }

    private Prediction result(End end) {
        Target ofTarget = target == null
                ? null
                : new Target(
                        targetWaiting * scenario.oneIn(), targetEmptyAt == NONE ? null : (Long) scaled(targetEmptyAt));
        return new Prediction(
                end,
                scaled(now),
                longestWait == NONE ? null : (Long) longestWait,
                view.modules().waiting() * scenario.oneIn(),
                ofTarget,
                census.result(now));
    }

    /** Returns a time of the whole backlog. Of a sample, limits admit as many as of the whole, but so many fewer wait. */
    private long scaled(long at) {
        return scenario.now() + (at - scenario.now()) * scenario.oneIn();
    }

    private void handleDueEvents() {
        for (ExternalEvent due = calendar.takeDue(now); due != null; due = calendar.takeDue(now)) {
            events++;
            switch (due) {
                case ExternalEvent.AttemptEnds end -> endAttempt(end);
                case ExternalEvent.HeartbeatDue heartbeat -> sendHeartbeat(heartbeat);
                case ExternalEvent.RunArrives ignored -> {}
                case ExternalEvent.PersonApproves ignored -> {}
                case ExternalEvent.SignalArrives ignored -> {}
            }
        }
    }

    private void endAttempt(ExternalEvent.AttemptEnds end) {
        SimulatedAttempt attempt = attempts.get(end.unit());
        if (attempt != null && attempt.fence == end.fence()) {
            handle(new UpdateStep(end.unit(), end.fence(), new Update.Completed(output(end.unit()))));
        }
    }

    private JsonNode output(UnitId unit) {
        Plan plan = org.findRun(unit.run()).map(run -> run.request().plan()).orElse(null);
        PlannedStep step = plan == null ? null : plan.find(unit.step());
        return plan == null || step == null
                ? JsonNodeFactory.instance.nullNode()
                : samples.computeIfAbsent(plan, known -> SampleData.of(known.workflow()))
                        .output(step.definition());
    }

    private void sendHeartbeat(ExternalEvent.HeartbeatDue heartbeat) {
        SimulatedAttempt attempt = attempts.get(heartbeat.unit());
        if (attempt != null && attempt.fence == heartbeat.fence()) {
            handle(new Heartbeat(heartbeat.unit(), heartbeat.fence()));
            calendar.schedule(now + attempt.lease / 2, heartbeat);
        }
    }

    /** Starts all work that may start, as long as workers are free and work is left to judge. */
    private void advance() {
        boolean more = true;
        while (more && events < bounds.events() && !bounds.isOver().getAsBoolean()) {
            events++;
            workers.poll().forEach(this::handle);
            AdvanceResult advance = org.advance(now);
            advance.moves().forEach(this::recordMove);
            for (AdvanceResult.AnsweredPoll served : advance.answeredPolls()) {
                var pool = workers.recordAnswer(
                        served.request(), served.assignments().size());
                for (Assignment assignment : served.assignments()) {
                    beginAttempt(
                            assignment.claim(),
                            pool,
                            duration(assignment.claim().unit()));
                }
            }
            more = !advance.answeredPolls().isEmpty() || view.nextWorkAt(now) <= now;
        }
    }

    private long duration(UnitId unit) {
        return org.findRun(unit.run())
                .map(run -> scenario.duration(run.request().plan().workflow().name(), unit.step()))
                .orElse(BacklogScenario.DEFAULT_DURATION);
    }

    /**
     * Continues an attempt that is under way at the beginning. If it has already taken longer than usual, it is assumed
     * to take as long again.
     */
    private void continueAttempt(Claim claim) {
        if (claim.hasNoExpiry()) {
            return;
        }
        long usual = duration(claim.unit());
        long elapsed = now - claim.grantedAt();
        SimulatedWorkers.Pool pool =
                workers.findPool(claim.limitNeeds().module()).orElse(null);
        if (pool != null) {
            pool.recordAttemptBegin();
        }
        beginAttempt(claim, pool, elapsed < usual ? usual - elapsed : usual);
    }

    private void beginAttempt(Claim claim, SimulatedWorkers.@Nullable Pool pool, long time) {
        events++;
        attempts.put(claim.unit(), new SimulatedAttempt(claim.fence(), claim.lease(), pool));
        calendar.schedule(Moment.plus(now, time), new ExternalEvent.AttemptEnds(claim.unit(), claim.fence(), false));
        if (time >= claim.lease() / 2) {
            calendar.schedule(now + claim.lease() / 2, new ExternalEvent.HeartbeatDue(claim.unit(), claim.fence()));
        }
    }

    private void handle(Command<?> command) {
        org.handle(command, now).moves().forEach(this::recordMove);
    }

    private void recordMove(Move move) {
        if (move instanceof Move.Granted granted) {
            org.findStep(granted.claim().unit()).ifPresent(row -> recordWait(row.since()));
        } else if (move instanceof Move.RunMoved moved
                && moved.from() == RunState.QUEUED
                && moved.row().state() == RunState.RUNNING) {
            RunRow row = moved.row();
            recordWait(Math.max(row.acceptedAt(), row.detail().notBefore()));
        } else if (move instanceof Move.Released released) {
            SimulatedAttempt attempt = attempts.remove(released.unit());
            if (attempt != null && attempt.pool != null) {
                attempt.pool.recordAttemptEnd();
            }
        }
    }

    private void recordWait(long since) {
        long before = Math.max(0, scenario.now() - since);
        long predicted = now - Math.max(since, scenario.now());
        longestWait = Math.max(longestWait, before + predicted * scenario.oneIn());
    }
}
