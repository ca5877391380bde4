package dev.weir.core.forecast;

import dev.weir.core.command.ApproveStep;
import dev.weir.core.command.Assignment;
import dev.weir.core.command.Command;
import dev.weir.core.command.Heartbeat;
import dev.weir.core.command.SendSignal;
import dev.weir.core.command.StartRun;
import dev.weir.core.command.UpdateStep;
import dev.weir.core.definition.Action;
import dev.weir.core.definition.Step;
import dev.weir.core.forecast.EventCalendar.Happening;
import dev.weir.core.forecast.Forecast.End;
import dev.weir.core.limit.Moment;
import dev.weir.core.plan.Plan;
import dev.weir.core.run.AdvanceResult;
import dev.weir.core.run.Organisation;
import dev.weir.core.state.AwaitedEvent;
import dev.weir.core.state.Claim;
import dev.weir.core.state.Move;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Runs a scenario in virtual time. The organisation decides all that it would decide in production. This class
 * simulates the world around it: runs arrive, workers poll for work and take their time, people approve.
 */
public final class ScenarioRunner {
    private static final long BEAT = SimulatedWorkers.LEASE / 2;

    private final ForecastScenario scenario;
    private final boolean doubtful;
    private final Organisation org = new Organisation();
    private final Plan plan;
    private final SampleData samples;
    private final SeededRandom draws;
    private final SimulatedWorkers workers;
    private final EventCalendar calendar = new EventCalendar();
    private final WaitTimes waits;
    private final ForecastRecorder logbook;
    private final Map<UnitId, Body> bodies = new HashMap<>();
    private int coming;
    private long events;
    private long now;

    /** An attempt in progress. */
    private record Body(long fence, String module) {}

    /** Receives the progress of a simulation, often. */
    public interface Watcher {
        Watcher NOBODY = (events, now, ended) -> {};

        void at(long events, long now, long ended);
    }

    private ScenarioRunner(ForecastScenario scenario, boolean doubtful) {
        this.scenario = scenario;
        this.doubtful = doubtful;
        this.plan = Plan.of(LenientWorkflow.of(scenario.workflow()));
        this.samples = SampleData.of(scenario.workflow());
        this.draws = new SeededRandom(scenario.seed());
        this.workers = new SimulatedWorkers(scenario.workflow(), scenario.workers());
        this.waits = new WaitTimes(unit -> unit.step().isEmpty() ? org.heldBy(unit.run(), now) : org.heldBy(unit, now));
        this.logbook = new ForecastRecorder(scenario.workflow(), waits, scenario.runs() == 1);
        this.coming = scenario.runs();
        for (int i = 0; i < scenario.runs(); i++) {
            calendar.enter(Math.multiplyExact(scenario.every(), i), new Happening.RunComes(i + 1));
        }
    }

    public static Forecast run(ForecastScenario scenario, Watcher watcher) {
        return run(scenario, watcher, false);
    }

    /**
     * Runs a scenario. With {@code doubtful}, it asks for every wait reason at every moment: slow, and only used to
     * check the incremental accounting.
     */
    static Forecast run(ForecastScenario scenario, Watcher watcher, boolean doubtful) {
        var simulation = new ScenarioRunner(scenario, doubtful);
        End end = simulation.play(watcher);
        return new ForecastBuilder(simulation.scenario, simulation.logbook, simulation.waits)
                .forecast(end, simulation.now, simulation.events);
    }

    private End play(Watcher watcher) {
        while (coming > 0 || logbook.open() > 0) {
            long next = Math.min(calendar.next(), org.nextWakeup());
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
                settle();
                now = next;
            }
            happen();
            advance();
            watcher.at(events, now, scenario.runs() - coming - logbook.open());
        }
        return End.DONE;
    }

    private void settle() {
        if (doubtful) {
            waits.doubtAll();
        }
        waits.settle(now);
    }

    private void happen() {
        for (Happening due = calendar.takeDue(now); due != null; due = calendar.takeDue(now)) {
            events++;
            switch (due) {
                case Happening.RunComes run -> come(run.number());
                case Happening.BodyEnds end -> endBody(end);
                case Happening.BodyBeats beat -> beat(beat);
                case Happening.PersonApproves gate ->
                    handle(new ApproveStep(gate.unit().run(), gate.unit().step(), "somebody", null));
                case Happening.SignalComes signal -> signal(signal.unit());
            }
        }
    }

    private void come(int number) {
        coming--;
        JsonNode input = scenario.input().apply(number);
        StartRun.Answer answer = handle(StartRun.of("run-" + number, plan, input));
        if (answer instanceof StartRun.Answer.Refused refused) {
            throw new Refused(refused.reason());
        }
    }

    /** Thrown if a run cannot start with its input. */
    public static final class Refused extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        Refused(String reason) {
            super(reason);
        }
    }

    private void endBody(Happening.BodyEnds end) {
        Body body = bodies.get(end.unit());
        if (body == null || body.fence != end.fence()) {
            return;
        }
        Step step = scenario.workflow().step(end.unit().step());
        Update update = end.fails() ? new Update.Failed("failed by chance", false) : new Update.Completed(output(step));
        handle(new UpdateStep(end.unit(), end.fence(), update));
    }

    private JsonNode output(Step step) {
        JsonNode given = scenario.behaviours().of(step).output();
        return given == null ? samples.output(step) : given;
    }

    private void beat(Happening.BodyBeats beat) {
        Body body = bodies.get(beat.unit());
        if (body != null && body.fence == beat.fence()) {
            handle(new Heartbeat(beat.unit(), beat.fence()));
            calendar.enter(now + BEAT, beat);
        }
    }

    /** Starts all work that may start, as long as workers are free and work is left to judge. */
    private void advance() {
        boolean more = true;
        while (more && events < scenario.bounds().events()) {
            events++;
            workers.ask().forEach(this::handle);
            AdvanceResult advance = org.advance(now);
            advance.moves().forEach(this::note);
            for (AdvanceResult.Served served : advance.served()) {
                workers.answered(served.request(), served.assignments().size());
                served.assignments().forEach(this::begin);
            }
            more = !advance.served().isEmpty() || org.nextWakeup() <= now;
        }
    }

    private void begin(Assignment assignment) {
        events++;
        Claim claim = assignment.claim();
        UnitId unit = claim.unit();
        bodies.put(unit, new Body(claim.fence(), claim.ask().module()));
        StepBehaviour behaviour = scenario.behaviours().of(scenario.workflow().step(unit.step()));
        long time = behaviour.time().at(draws.draw(unit, claim.fence(), SeededRandom.What.TIME));
        boolean fails = draws.draw(unit, claim.fence(), SeededRandom.What.FAILURE) < behaviour.fail();
        calendar.enter(Moment.plus(now, time), new Happening.BodyEnds(unit, claim.fence(), fails));
        if (time >= BEAT) {
            calendar.enter(now + BEAT, new Happening.BodyBeats(unit, claim.fence()));
        }
    }

    private <A> A handle(Command<A> command) {
        var decision = org.handle(command, now);
        decision.moves().forEach(this::note);
        return decision.answer();
    }

    private void note(Move move) {
        logbook.note(move);
        if (move instanceof Move.Released released) {
            Body body = bodies.remove(released.unit());
            if (body != null) {
                workers.bodyEnded(body.module);
            }
        }
        if (move instanceof Move.StepMoved moved && moved.row().waitsFor() == AwaitedEvent.GATE) {
            approveLater(moved.row().id());
        } else if (move instanceof Move.StepMoved moved && moved.row().waitsFor() == AwaitedEvent.SIGNAL) {
            signalLater(moved.row().id());
        }
    }

    private void signalLater(UnitId unit) {
        StepBehaviour behaviour = scenario.behaviours().of(scenario.workflow().step(unit.step()));
        long time = behaviour.time().at(draws.draw(unit, 0, SeededRandom.What.TIME));
        calendar.enter(Moment.plus(now, time), new Happening.SignalComes(unit));
    }

    private void signal(UnitId unit) {
        Step step = scenario.workflow().step(unit.step());
        if (step.action() instanceof Action.WaitFor waitFor) {
            handle(new SendSignal(unit.run(), waitFor.signal(), output(step)));
        }
    }

    /**
     * Schedules the approval of a gate. If the gate is the whole step, approval takes the step's time; else it comes at
     * once.
     */
    private void approveLater(UnitId unit) {
        Step step = scenario.workflow().step(unit.step());
        StepBehaviour behaviour =
                step.action() instanceof Action.GateOnly ? scenario.behaviours().of(step) : StepBehaviour.AT_ONCE;
        long time = behaviour.time().at(draws.draw(unit, 0, SeededRandom.What.TIME));
        calendar.enter(Moment.plus(now, time), new Happening.PersonApproves(unit));
    }
}
