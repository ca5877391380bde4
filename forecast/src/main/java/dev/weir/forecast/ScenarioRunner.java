package dev.weir.forecast;

import dev.weir.core.command.ApproveStep;
import dev.weir.core.command.Assignment;
import dev.weir.core.command.Command;
import dev.weir.core.command.Heartbeat;
import dev.weir.core.command.SendSignal;
import dev.weir.core.command.StartRun;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.definition.Action;
import dev.weir.core.definition.Step;
import dev.weir.core.limit.Moment;
import dev.weir.core.plan.Plan;
import dev.weir.core.run.AdvanceResult;
import dev.weir.core.run.Organisation;
import dev.weir.core.state.AwaitedEvent;
import dev.weir.core.state.Claim;
import dev.weir.core.state.Move;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import dev.weir.forecast.EventCalendar.ExternalEvent;
import dev.weir.forecast.Forecast.End;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Runs a scenario in virtual time. The organisation decides all that it would decide in production. This class
 * simulates the world around it: runs arrive, workers poll for work and take their time, people approve.
 */
public final class ScenarioRunner {
    private static final long HEARTBEAT_INTERVAL = SimulatedWorkers.LEASE / 2;

    private final ForecastScenario scenario;
    private final boolean recheckAllHolds;
    private final Organisation org = new Organisation();
    private final Plan plan;
    private final SampleData samples;
    private final SeededRandom random;
    private final SimulatedWorkers workers;
    private final EventCalendar calendar = new EventCalendar();
    private final WaitTimes waits;
    private final ForecastRecorder recorder;
    private final Map<UnitId, SimulatedAttempt> attempts = new HashMap<>();
    private int pendingRuns;
    private long events;
    private long now;

    /** An attempt in progress. */
    private record SimulatedAttempt(long fence, SimulatedWorkers.Pool pool) {}

    /** Receives the progress of a simulation, often. */
    public interface ProgressListener {
        ProgressListener NONE = (events, now, ended) -> {};

        void onProgress(long events, long now, long ended);
    }

    private ScenarioRunner(ForecastScenario scenario, boolean recheckAllHolds) {
        this.scenario = scenario;
        this.recheckAllHolds = recheckAllHolds;
        this.plan = Plan.of(LenientWorkflow.of(scenario.workflow()));
        this.samples = SampleData.of(scenario.workflow());
        this.random = new SeededRandom(scenario.seed());
        this.workers = new SimulatedWorkers(scenario.workflow(), scenario.workers());
        this.waits = new WaitTimes(
                unit -> unit.step().isEmpty() ? org.firstHold(unit.run(), now) : org.firstHold(unit, now));
        this.recorder = new ForecastRecorder(scenario.workflow(), waits, scenario.runs() == 1);
        this.pendingRuns = scenario.runs();
        for (int i = 0; i < scenario.runs(); i++) {
            calendar.schedule(Math.multiplyExact(scenario.interval(), i), new ExternalEvent.RunArrives(i + 1));
        }
    }

    public static Forecast run(ForecastScenario scenario, ProgressListener listener) {
        return run(scenario, listener, false);
    }

    /**
     * Runs a scenario. With {@code recheckAllHolds}, it asks for every wait reason at every moment: slow, and only used to
     * check the incremental accounting.
     */
    static Forecast run(ForecastScenario scenario, ProgressListener listener, boolean recheckAllHolds) {
        var simulation = new ScenarioRunner(scenario, recheckAllHolds);
        End end = simulation.simulate(listener);
        return new ForecastBuilder(simulation.scenario, simulation.recorder, simulation.waits)
                .build(end, simulation.now, simulation.events);
    }

    private End simulate(ProgressListener listener) {
        while (pendingRuns > 0 || recorder.openRuns() > 0) {
            long next = Math.min(calendar.nextTime(), org.nextWakeup());
            if (next == Moment.NEVER) {
                return End.STUCK;
            }
            if (next > scenario.bounds().time()) {
                return End.TIME_MAX;
            }
            if (events >= scenario.bounds().events()) {
                return End.EVENTS_MAX;
            }
            if (next > now) {
                refreshHolds();
                now = next;
            }
            handleDueEvents();
            advance();
            listener.onProgress(events, now, scenario.runs() - pendingRuns - recorder.openRuns());
        }
        return End.DONE;
    }

    private void refreshHolds() {
        if (recheckAllHolds) {
            waits.markAllOutdated();
        }
        waits.refreshHolds(now);
    }

    private void handleDueEvents() {
        for (ExternalEvent due = calendar.takeDue(now); due != null; due = calendar.takeDue(now)) {
            events++;
            switch (due) {
                case ExternalEvent.RunArrives run -> startRun(run.number());
                case ExternalEvent.AttemptEnds end -> endAttempt(end);
                case ExternalEvent.HeartbeatDue heartbeat -> sendHeartbeat(heartbeat);
                case ExternalEvent.PersonApproves gate ->
                    handle(new ApproveStep(gate.unit().run(), gate.unit().step(), "somebody", null));
                case ExternalEvent.SignalArrives signal -> sendSignal(signal.unit());
            }
        }
    }

    private void startRun(int number) {
        pendingRuns--;
        JsonNode input = scenario.input().apply(number);
        StartRun.Answer answer = handle(StartRun.of("run-" + number, plan, input));
        if (answer instanceof StartRun.Answer.Refused refused) {
            throw new RunRefused(refused.reason());
        }
    }

    /** Thrown if a run cannot start with its input. */
    public static final class RunRefused extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        RunRefused(String reason) {
            super(reason);
        }
    }

    private void endAttempt(ExternalEvent.AttemptEnds end) {
        SimulatedAttempt attempt = attempts.get(end.unit());
        if (attempt == null || attempt.fence != end.fence()) {
            return;
        }
        Step step = scenario.workflow().step(end.unit().step());
        Update update = end.fails() ? new Update.Failed("random failure", false) : new Update.Completed(output(step));
        handle(new UpdateStep(end.unit(), end.fence(), update));
    }

    private JsonNode output(Step step) {
        JsonNode given = scenario.behaviour().of(step).output();
        return given == null ? samples.output(step) : given;
    }

    private void sendHeartbeat(ExternalEvent.HeartbeatDue heartbeat) {
        SimulatedAttempt attempt = attempts.get(heartbeat.unit());
        if (attempt != null && attempt.fence == heartbeat.fence()) {
            handle(new Heartbeat(heartbeat.unit(), heartbeat.fence()));
            calendar.schedule(now + HEARTBEAT_INTERVAL, heartbeat);
        }
    }

    /** Starts all work that may start, as long as workers are free and work is left to judge. */
    private void advance() {
        boolean more = true;
        while (more && events < scenario.bounds().events()) {
            events++;
            workers.poll().forEach(this::handle);
            AdvanceResult advance = org.advance(now);
            advance.moves().forEach(this::recordMove);
            for (AdvanceResult.AnsweredPoll served : advance.answeredPolls()) {
                var pool = workers.recordAnswer(
                        served.request(), served.assignments().size());
                served.assignments().forEach(assignment -> beginAttempt(assignment, pool));
            }
            more = !advance.answeredPolls().isEmpty() || org.nextWakeup() <= now;
        }
    }

    private void beginAttempt(Assignment assignment, SimulatedWorkers.Pool pool) {
        events++;
        Claim claim = assignment.claim();
        UnitId unit = claim.unit();
        attempts.put(unit, new SimulatedAttempt(claim.fence(), pool));
        StepBehaviour behaviour = scenario.behaviour().of(scenario.workflow().step(unit.step()));
        long time = behaviour.time().sample(random.draw(unit, claim.fence(), SeededRandom.Purpose.TIME));
        boolean fails = random.draw(unit, claim.fence(), SeededRandom.Purpose.FAILURE) < behaviour.failureRate();
        calendar.schedule(Moment.plus(now, time), new ExternalEvent.AttemptEnds(unit, claim.fence(), fails));
        if (time >= HEARTBEAT_INTERVAL) {
            calendar.schedule(now + HEARTBEAT_INTERVAL, new ExternalEvent.HeartbeatDue(unit, claim.fence()));
        }
    }

    private <A> A handle(Command<A> command) {
        var decision = org.handle(command, now);
        decision.moves().forEach(this::recordMove);
        return decision.answer();
    }

    private void recordMove(Move move) {
        recorder.recordMove(move);
        if (move instanceof Move.Released released) {
            SimulatedAttempt attempt = attempts.remove(released.unit());
            if (attempt != null) {
                attempt.pool.recordAttemptEnd();
            }
        }
        if (move instanceof Move.StepMoved moved && moved.row().waitsFor() == AwaitedEvent.GATE) {
            scheduleApproval(moved.row().id());
        } else if (move instanceof Move.StepMoved moved && moved.row().waitsFor() == AwaitedEvent.SIGNAL) {
            scheduleSignal(moved.row().id());
        }
    }

    private void scheduleSignal(UnitId unit) {
        StepBehaviour behaviour = scenario.behaviour().of(scenario.workflow().step(unit.step()));
        long time = behaviour.time().sample(random.draw(unit, 0, SeededRandom.Purpose.TIME));
        calendar.schedule(Moment.plus(now, time), new ExternalEvent.SignalArrives(unit));
    }

    private void sendSignal(UnitId unit) {
        Step step = scenario.workflow().step(unit.step());
        if (step.action() instanceof Action.WaitFor waitFor) {
            handle(new SendSignal(unit.run(), waitFor.signal(), output(step)));
        }
    }

    /**
     * Schedules the approval of a gate. If the gate is the whole step, approval takes the step's time; else it comes at
     * once.
     */
    private void scheduleApproval(UnitId unit) {
        Step step = scenario.workflow().step(unit.step());
        StepBehaviour behaviour =
                step.action() instanceof Action.GateOnly ? scenario.behaviour().of(step) : StepBehaviour.INSTANT;
        long time = behaviour.time().sample(random.draw(unit, 0, SeededRandom.Purpose.TIME));
        calendar.schedule(Moment.plus(now, time), new ExternalEvent.PersonApproves(unit));
    }
}
