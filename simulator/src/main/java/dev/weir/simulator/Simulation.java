package dev.weir.simulator;

import dev.weir.core.command.ApproveStep;
import dev.weir.core.command.CancelRun;
import dev.weir.core.command.OverrideRun;
import dev.weir.core.command.PauseKey;
import dev.weir.core.command.PauseRun;
import dev.weir.core.command.PinKey;
import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.command.ResetRate;
import dev.weir.core.command.ResumeKey;
import dev.weir.core.command.ResumeRun;
import dev.weir.core.command.RetryRun;
import dev.weir.core.command.SendSignal;
import dev.weir.core.command.SkipStep;
import dev.weir.core.command.UnpinKey;
import dev.weir.core.definition.Step;
import dev.weir.core.definition.Workflow;
import dev.weir.core.limit.FieldChange;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.limit.Rate;
import dev.weir.core.limit.Window;
import dev.weir.core.plan.Plan;
import dev.weir.core.state.RunRequest;
import dev.weir.core.state.RunState;
import dev.weir.engine.request.RetryOutcome;
import dev.weir.engine.request.StartOutcome;
import dev.weir.engine.request.StartRequest;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import tools.jackson.databind.node.JsonNodeFactory;

/** Simulates one seed: a random organisation runs with faults; then the faults end, and everything must finish. */
public final class Simulation {
    private static final long CHAOS = 60 * SimulatedWorld.SECOND;
    private static final long DRAIN_STEP = 10 * SimulatedWorld.SECOND;
    private static final long DRAIN_MAX = 4 * 60 * 60 * SimulatedWorld.SECOND;
    private static final int WORKERS = 4;

    private final SimulatedWorld world;
    private final RandomScenario scenario;
    private final NeighbourOrganisation neighbour;
    private final RateStarvation crowd;
    private final List<Plan> plans = new ArrayList<>();
    private final List<SimulatedWorker> workers = new ArrayList<>();
    private final List<String> runs = new ArrayList<>();
    private final SimulatedWorker.Faults faults = new SimulatedWorker.Faults();
    private int born;
    private int registered;

    /**
     * The result of a simulation.
     *
     * @param trace a digest of the trace, always the same for the same seed
     * @param facts the number of facts in the trace
     * @param seen the situations that occurred
     */
    public record Outcome(long trace, int facts, Set<Coverage> seen) {}

    private Simulation(long seed, Consumer<Fact> listener) {
        var random = new SplittableRandom(seed);
        this.scenario = new RandomScenario(random.split());
        this.world = new SimulatedWorld(random.split(), listener);
        this.neighbour = new NeighbourOrganisation(world);
        this.crowd = new RateStarvation(world);
    }

    /** Simulates a seed. Throws a {@link Violation}, or the exception of a rule, if a promise is broken. */
    public static Outcome run(long seed) {
        return new Simulation(seed, fact -> {}).run();
    }

    /** Simulates a seed, and passes every fact to the listener as text when it happens. */
    public static Outcome tell(long seed, Consumer<String> listener) {
        return new Simulation(seed, fact -> listener.accept(fact.toString())).run();
    }

    private Outcome run() {
        int count = 1 + world.random.nextInt(2);
        for (int i = 0; i < count; i++) {
            Plan plan = scenario.workflow(i);
            plans.add(plan);
            world.send(new RegisterWorkflow(plan.workflow()), answer -> registered++);
        }
        world.send(new RegisterWorkflow(scenario.leaf().workflow()), answer -> registered++);
        for (int i = 0; i < WORKERS; i++) {
            hire();
        }
        int starts = 4 + world.random.nextInt(4);
        for (int i = 0; i < starts; i++) {
            String id = "r" + i;
            world.later(world.between(0, CHAOS / 3), () -> start(id));
        }
        int disturbances = 9 + world.random.nextInt(11);
        for (int i = 0; i < disturbances; i++) {
            world.later(world.between(0, CHAOS), this::disturb);
        }
        var nemesis = new FaultInjector(world, plans);
        int blows = 4 + world.random.nextInt(6);
        for (int i = 0; i < blows; i++) {
            world.later(world.between(0, CHAOS), nemesis::strike);
        }
        neighbour.live(3 + world.random.nextInt(5), CHAOS);
        world.runUntil(world.now() + CHAOS);
        drain();
        return new Outcome(world.trace.digest(), world.trace.facts(), EnumSet.copyOf(world.checker.seen()));
    }

    private void hire() {
        List<String> modules = new ArrayList<>(RandomScenario.MODULES);
        if (faults.on && world.chance(50)) {
            modules.remove(world.random.nextInt(modules.size()));
        }
        born++;
        var worker = new SimulatedWorker(world, "worker" + born, modules, faults);
        workers.add(worker);
        world.later(world.between(0, SimulatedWorld.SECOND), worker::poll);
    }

    private void start(String id) {
        if (registered <= plans.size()) {
            world.later(SimulatedWorld.SECOND, () -> start(id));
            return;
        }
        Workflow workflow = plans.get(world.random.nextInt(plans.size())).workflow();
        var input = JsonNodeFactory.instance.objectNode().put("key", "c" + world.random.nextInt(2));
        if (world.chance(60)) {
            input.put(RandomScenario.NEEDED, true);
        }
        var start = new StartRequest(id, workflow.name(), input, null, null, new TreeMap<>(), options(workflow));
        if (world.chance(10)) {
            world.programs.leaveBad(start);
        }
        if (world.chance(20)) {
            world.programs.leave(start);
            joinOnceAccepted(id);
            return;
        }
        world.start(start, first -> {
            runs.add(id);
            if (world.chance(20)) {
                world.send(new SendSignal(id, RandomScenario.SIGNAL, JsonNodeFactory.instance.numberNode(world.now())));
            }
            if (world.chance(10)) {
                world.start(
                        start,
                        again -> Violation.unless(
                                again instanceof StartOutcome.Existing, "R0.14", "a start sent twice gave %s", again));
            }
        });
    }

    /** Waits until a start from the inbox is accepted; the engine reports that to nobody. */
    private void joinOnceAccepted(String id) {
        if (world.checker.tally().runs.containsKey(id)) {
            runs.add(id);
            world.checker.seen().add(Coverage.START_LEFT);
        } else {
            world.later(SimulatedWorld.SECOND / 2, () -> joinOnceAccepted(id));
        }
    }

    private RunRequest.Options options(Workflow workflow) {
        List<Step> steps = workflow.steps();
        return new RunRequest.Options(
                world.chance(15) ? world.between(1, 10 * SimulatedWorld.SECOND) : 0,
                world.chance(15)
                        ? List.of(steps.get(world.random.nextInt(steps.size())).id())
                        : List.of());
    }

    /** Retries a run. Most runs have not ended, or have completed. */
    private void retry(String run) {
        String as = RetryRun.idAfter(run);
        world.cluster.ask(shard -> shard.retry(SimulatedCluster.ORG, run, as), answer -> {
            boolean made = answer instanceof RetryOutcome.Started || answer instanceof RetryOutcome.Existing;
            Violation.unless(
                    made == world.checker.tally().runs.containsKey(as) || answer instanceof RetryOutcome.NotEnded,
                    "S7",
                    "the retry of %s was answered %s",
                    run,
                    answer);
            Violation.unless(
                    !(answer instanceof RetryOutcome.NotFound), "S7", "run %s is known, and was not found", run);
            if (answer instanceof RetryOutcome.Started) {
                runs.add(as);
            }
        });
    }

    private void disturb() {
        switch (world.random.nextInt(19)) {
            case 0, 1 -> killOne();
            case 2, 3 -> pauseOne();
            case 4 -> withRun(run -> world.send(new CancelRun(invoking(run), null, "chaos")));
            case 5 ->
                withRun(run -> {
                    world.send(new PauseRun(run));
                    world.later(
                            world.between(SimulatedWorld.SECOND, 20 * SimulatedWorld.SECOND),
                            () -> world.send(new ResumeRun(run)));
                });
            case 6 -> withRun(run -> world.send(override(run)));
            case 7, 8 -> pin(chosen());
            case 9 -> world.send(new UnpinKey(key()));
            case 10 -> world.send(new PauseKey(key(), until()));
            case 11 -> world.send(new ResetRate(key()));
            case 12 -> world.send(new ResumeKey(key()));
            case 13 -> operateRuns();
            case 14, 15 -> withRun(this::decideSteps);
            case 16, 17 -> withRun(run -> retry(failed(run)));
            default -> world.cluster.rebuild();
        }
    }

    /** Lets an operator lower, raise or pause a limit that all runs share. */
    private void operateRuns() {
        LimitId.Shared limit = runLimits().get(world.random.nextInt(runLimits().size()));
        world.checker.seen().add(Coverage.RUNS_OPERATED);
        if (world.chance(30)) {
            world.send(new PauseKey(limit, until()));
        } else {
            world.send(PinKey.of(limit, 1 + world.random.nextInt(3), null, until()));
        }
    }

    private List<LimitId.Shared> runLimits() {
        List<LimitId.Shared> limits = new ArrayList<>(List.of(new LimitId.OrgRuns()));
        plans.forEach(
                plan -> limits.add(new LimitId.WorkflowRuns(plan.workflow().name())));
        return limits;
    }

    /** Lets a person skip or approve the steps of a run that allow it. */
    private void decideSteps(String run) {
        for (Step step : world.checker.tally().run(run).workflow.steps()) {
            if (world.chance(50)) {
                world.send(
                        new SkipStep(run, step.id()),
                        answer -> world.saw(answer == SkipStep.Answer.SKIPPED, Coverage.SKIPPED));
            }
        }
        approveAll(run);
    }

    private void approveAll(String run) {
        for (Step step : world.checker.tally().run(run).workflow.steps()) {
            world.send(
                    new ApproveStep(run, step.id(), "somebody", null),
                    answer -> world.saw(answer == ApproveStep.Answer.APPROVED, Coverage.APPROVED));
        }
    }

    private void killOne() {
        SimulatedWorker worker = workers.remove(world.random.nextInt(workers.size()));
        worker.kill();
        world.later(world.between(SimulatedWorld.SECOND, 20 * SimulatedWorld.SECOND), this::hire);
        if (workers.isEmpty()) {
            hire();
        }
    }

    private void pauseOne() {
        workers.get(world.random.nextInt(workers.size()))
                .pause(world.between(SimulatedWorld.SECOND, 30 * SimulatedWorld.SECOND));
    }

    private void withRun(Consumer<String> action) {
        if (!runs.isEmpty()) {
            action.accept(runs.get(world.random.nextInt(runs.size())));
        }
    }

    /** A run that has failed or was cancelled, if there is one and by chance; otherwise the given one. */
    private String failed(String otherwise) {
        return runs.stream()
                .filter(run -> {
                    RunState state = world.checker.tally().run(run).state;
                    return (state == RunState.FAILED || state == RunState.CANCELLED) && world.chance(70);
                })
                .findFirst()
                .orElse(otherwise);
    }

    /** A run that waits for a run that it invoked, if there is one and by chance; otherwise the given one. */
    private String invoking(String otherwise) {
        return world.checker.tally().runs.values().stream()
                .filter(run -> run.parent != null && !run.state.ended() && world.chance(80))
                .map(run -> Objects.requireNonNull(run.parent).run())
                .findFirst()
                .orElse(otherwise);
    }

    private LimitId.Shared key() {
        return new LimitId.Key(chosen().name());
    }

    private RandomScenario.KeyValues chosen() {
        return scenario.keys().get(world.random.nextInt(scenario.keys().size()));
    }

    private OverrideRun override(String run) {
        if (world.chance(20)) {
            return OverrideRun.replacing(run, null, null);
        }
        FieldChange<Integer> steps = change(50, 4);
        FieldChange<Integer> slots = change(75, 2);
        return new OverrideRun(run, new OverrideRun.Values(steps, slots, until(), world.chance(30)));
    }

    /** A new value with this chance in percent; otherwise the old one is kept or cleared. */
    private FieldChange<Integer> change(int percent, int most) {
        if (world.chance(percent)) {
            return new FieldChange.To<>(1 + world.random.nextInt(most));
        }
        return world.chance(70) ? new FieldChange.Keep<>() : new FieldChange.Clear<>();
    }

    private long until() {
        return world.chance(70)
                ? world.now() + world.between(SimulatedWorld.SECOND, 30 * SimulatedWorld.SECOND)
                : Moment.NEVER;
    }

    /**
     * Pins a key. A rate is pinned only on keys with a rate, over the same window, so that it counts the same starts.
     */
    private void pin(RandomScenario.KeyValues key) {
        boolean rate = key.period() != null && world.chance(40);
        Rate pinned = null;
        if (rate && key.period() != null) {
            var window = Window.valueOf(key.window().name());
            pinned = new Rate(1 + world.random.nextInt(4), Moment.micros(key.period()), window);
        }
        Integer parallelism = rate ? null : (Integer) (1 + world.random.nextInt(3));
        world.send(PinKey.of(new LimitId.Key(key.name()), parallelism, pinned, until()));
    }

    private void drain() {
        faults.on = false;
        world.cluster.weather.clear();
        world.note(new Fact.FaultsOff(world.now()));
        hire();
        if (world.chance(RateStarvation.PERCENT)) {
            crowd.comeIn(2 * DRAIN_STEP);
        }
        long giveUp = world.now() + DRAIN_MAX;
        while (!ended() && world.now() < giveUp) {
            freeAll();
            for (var entry : List.copyOf(world.checker.tally().runs.entrySet())) {
                if (!entry.getValue().state.ended()) {
                    helpOn(entry.getKey(), entry.getValue().state);
                }
            }
            world.later(0, () -> {});
            world.runUntil(world.now() + DRAIN_STEP);
        }
        world.note(new Fact.Drained(world.now()));
        world.checkNothingLeaked();
        world.programs.checkAll();
        neighbour.checkAll();
        crowd.check();
        WaitAccountingCheck.check(world.cluster.journal.records(), runs);
    }

    /** Does for a run what only people can do. */
    private void helpOn(String run, RunState state) {
        approveAll(run);
        new SimulatedApprover(world).mend(run);
        if (state == RunState.PAUSED) {
            world.send(new ResumeRun(run));
        }
    }

    /** Removes what operators have set, repeatedly, because one of their commands may still be on its way. */
    private void freeAll() {
        TraceState tally = world.checker.tally();
        tally.pins.keySet().forEach(limit -> world.send(new UnpinKey(LimitId.Shared.of(limit))));
        tally.pauses.keySet().forEach(limit -> world.send(new ResumeKey(LimitId.Shared.of(limit))));
        tally.runs.forEach((run, facts) -> {
            if (facts.overridden != null && !facts.state.ended()) {
                world.send(OverrideRun.replacing(run, null, null));
            }
        });
    }

    private boolean ended() {
        return world.programs.done()
                && crowd.done()
                && neighbour.done()
                && world.checker.tally().runs.values().stream().allMatch(run -> run.state.ended());
    }
}
