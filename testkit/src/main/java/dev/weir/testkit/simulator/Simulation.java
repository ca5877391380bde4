package dev.weir.testkit.simulator;

import dev.weir.core.admission.RunGate;
import dev.weir.core.definition.Step;
import dev.weir.core.definition.Workflow;
import dev.weir.core.life.ApproveStep;
import dev.weir.core.life.CancelRun;
import dev.weir.core.life.OverrideRun;
import dev.weir.core.life.PauseKey;
import dev.weir.core.life.PauseRun;
import dev.weir.core.life.PinKey;
import dev.weir.core.life.Plan;
import dev.weir.core.life.RegisterWorkflow;
import dev.weir.core.life.ResetRate;
import dev.weir.core.life.ResumeKey;
import dev.weir.core.life.ResumeRun;
import dev.weir.core.life.RetryRun;
import dev.weir.core.life.RunState;
import dev.weir.core.life.SendSignal;
import dev.weir.core.life.SkipStep;
import dev.weir.core.life.StartRun;
import dev.weir.core.life.UnpinKey;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.limit.Pin;
import dev.weir.core.limit.Rate;
import dev.weir.core.limit.Window;
import dev.weir.engine.RetryAnswer;
import dev.weir.engine.StartAnswer;
import dev.weir.engine.StartRequest;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;

/** One seed: a random organisation is lived through with faults; then faults are off, and it must drain. */
public final class Simulation {
    private static final long CHAOS = 60 * World.SECOND;
    private static final long DRAIN_STEP = 10 * World.SECOND;
    private static final long DRAIN_MAX = 4 * 60 * 60 * World.SECOND;
    private static final int WORKERS = 4;

    private final World world;
    private final Scenario scenario;
    private final Neighbour neighbour;
    private final List<Plan> plans = new ArrayList<>();
    private final List<Worker> workers = new ArrayList<>();
    private final List<String> runs = new ArrayList<>();
    private final Worker.Faults faults = new Worker.Faults();
    private int born;
    private int registered;

    /**
     * What a simulation came to.
     *
     * @param trace the same for the same seed, always
     * @param facts how many facts the trace has
     * @param seen what occurred
     */
    public record Outcome(long trace, int facts, Set<Kind> seen) {}

    private Simulation(long seed, Consumer<Fact> listener) {
        var random = new SplittableRandom(seed);
        this.scenario = new Scenario(random.split());
        this.world = new World(random.split(), listener);
        this.neighbour = new Neighbour(world);
    }

    /** Lives through a seed; throws a {@link Violation}, or what the rules themselves threw, if a promise is broken. */
    public static Outcome run(long seed) {
        return new Simulation(seed, fact -> {}).run();
    }

    /** The same, and the listener is told every fact in words as it happens. */
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
        var nemesis = new Nemesis(world, plans);
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
        List<String> modules = new ArrayList<>(Scenario.MODULES);
        if (faults.on && world.chance(50)) {
            modules.remove(world.random.nextInt(modules.size()));
        }
        born++;
        var worker = new Worker(world, "worker" + born, modules, faults);
        workers.add(worker);
        world.later(world.between(0, World.SECOND), worker::poll);
    }

    private void start(String id) {
        if (registered <= plans.size()) {
            world.later(World.SECOND, () -> start(id));
            return;
        }
        Workflow workflow = plans.get(world.random.nextInt(plans.size())).workflow();
        var input = JsonNodeFactory.instance.objectNode().put("key", "c" + world.random.nextInt(2));
        if (world.chance(60)) {
            input.put(Scenario.NEEDED, true);
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
                world.send(new SendSignal(id, Scenario.SIGNAL, JsonNodeFactory.instance.numberNode(world.now())));
            }
            if (world.chance(10)) {
                world.start(
                        start,
                        again -> Violation.unless(
                                again instanceof StartAnswer.Existing, "R0.14", "a start sent twice gave %s", again));
            }
        });
    }

    /** Nobody is told of a start that was left. */
    private void joinOnceAccepted(String id) {
        if (world.checker.tally().runs.containsKey(id)) {
            runs.add(id);
            world.checker.seen().add(Kind.START_LEFT);
        } else {
            world.later(World.SECOND / 2, () -> joinOnceAccepted(id));
        }
    }

    private StartRun.Options options(Workflow workflow) {
        List<Step> steps = workflow.steps();
        return new StartRun.Options(
                world.chance(15) ? world.between(1, 10 * World.SECOND) : 0,
                world.chance(15)
                        ? List.of(steps.get(world.random.nextInt(steps.size())).id())
                        : List.of());
    }

    /** Tries a run again; most have not ended, or have completed. */
    private void retry(String run) {
        String as = RetryRun.idAfter(run);
        world.cluster.ask(shard -> shard.retry(Cluster.ORG, run, as), answer -> {
            boolean made = answer instanceof RetryAnswer.Started || answer instanceof RetryAnswer.Existing;
            Violation.unless(
                    made == world.checker.tally().runs.containsKey(as) || answer instanceof RetryAnswer.NotEnded,
                    "S7",
                    "the retry of %s was answered %s",
                    run,
                    answer);
            Violation.unless(
                    !(answer instanceof RetryAnswer.NotFound), "S7", "run %s is known, and was not found", run);
            if (answer instanceof RetryAnswer.Started) {
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
                    world.later(world.between(World.SECOND, 20 * World.SECOND), () -> world.send(new ResumeRun(run)));
                });
            case 6 -> withRun(run -> world.send(new OverrideRun(run, overrides())));
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

    /** An operator lowers, raises or stops what all runs share. */
    private void operateRuns() {
        LimitId.Shared limit = runLimits().get(world.random.nextInt(runLimits().size()));
        world.checker.seen().add(Kind.RUNS_OPERATED);
        if (world.chance(30)) {
            world.send(new PauseKey(limit, until()));
        } else {
            world.send(new PinKey(limit, new Pin(1 + world.random.nextInt(3), null, until())));
        }
    }

    private List<LimitId.Shared> runLimits() {
        List<LimitId.Shared> limits = new ArrayList<>(List.of(new LimitId.OrgRuns()));
        plans.forEach(
                plan -> limits.add(new LimitId.WorkflowRuns(plan.workflow().name())));
        return limits;
    }

    /** A person skips or approves what can be skipped or approved in a run. */
    private void decideSteps(String run) {
        for (Step step : world.checker.tally().run(run).workflow.steps()) {
            if (world.chance(50)) {
                world.send(
                        new SkipStep(run, step.id()),
                        answer -> world.saw(answer == SkipStep.Answer.SKIPPED, Kind.SKIPPED));
            }
        }
        approveAll(run);
    }

    private void approveAll(String run) {
        for (Step step : world.checker.tally().run(run).workflow.steps()) {
            world.send(
                    new ApproveStep(run, step.id(), "somebody", null),
                    answer -> world.saw(answer == ApproveStep.Answer.APPROVED, Kind.APPROVED));
        }
    }

    private void killOne() {
        Worker worker = workers.remove(world.random.nextInt(workers.size()));
        worker.kill();
        world.later(world.between(World.SECOND, 20 * World.SECOND), this::hire);
        if (workers.isEmpty()) {
            hire();
        }
    }

    private void pauseOne() {
        workers.get(world.random.nextInt(workers.size())).pause(world.between(World.SECOND, 30 * World.SECOND));
    }

    private void withRun(Consumer<String> action) {
        if (!runs.isEmpty()) {
            action.accept(runs.get(world.random.nextInt(runs.size())));
        }
    }

    /** A run that did not complete, if there is any and luck will have it; else the one given. */
    private String failed(String otherwise) {
        return runs.stream()
                .filter(run -> {
                    RunState state = world.checker.tally().run(run).state;
                    return (state == RunState.FAILED || state == RunState.CANCELLED) && world.chance(70);
                })
                .findFirst()
                .orElse(otherwise);
    }

    /** A run that waits for one that it has invoked, if there is any and luck will have it; else the one given. */
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

    private Scenario.KeyValues chosen() {
        return scenario.keys().get(world.random.nextInt(scenario.keys().size()));
    }

    private RunGate.@Nullable Overrides overrides() {
        return world.chance(20)
                ? null
                : new RunGate.Overrides(
                        world.chance(50) ? (Integer) (1 + world.random.nextInt(4)) : null,
                        world.chance(75) ? (Integer) (1 + world.random.nextInt(2)) : null);
    }

    private long until() {
        return world.chance(70) ? world.now() + world.between(World.SECOND, 30 * World.SECOND) : Moment.NEVER;
    }

    /** A rate is pinned on keys that have one, over the same window, so that what counts is not in question. */
    private void pin(Scenario.KeyValues key) {
        boolean rate = key.period() != null && world.chance(40);
        Rate pinned = null;
        if (rate && key.period() != null) {
            var window = Window.valueOf(key.window().name());
            pinned = new Rate(1 + world.random.nextInt(4), Moment.micros(key.period()), window);
        }
        var pin = new Pin(rate ? null : (Integer) (1 + world.random.nextInt(3)), pinned, until());
        world.send(new PinKey(new LimitId.Key(key.name()), pin));
    }

    private void drain() {
        faults.on = false;
        world.cluster.weather.clear();
        world.note(new Fact.FaultsOff(world.now()));
        hire();
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
        Accounting.check(world.cluster.journal.records(), runs);
    }

    /** Somebody sees to what only people can do. */
    private void helpOn(String run, RunState state) {
        approveAll(run);
        new Person(world).mend(run);
        if (state == RunState.PAUSED) {
            world.send(new ResumeRun(run));
        }
    }

    /** Takes back what operators have set, as often as it takes: what they sent may have been on its way for long. */
    private void freeAll() {
        Tally tally = world.checker.tally();
        tally.pins.keySet().forEach(limit -> world.send(new UnpinKey(limit)));
        tally.pauses.keySet().forEach(limit -> world.send(new ResumeKey(limit)));
        tally.runs.forEach((run, facts) -> {
            if (facts.overrides != null && !facts.state.ended()) {
                world.send(new OverrideRun(run, null));
            }
        });
    }

    private boolean ended() {
        return world.programs.done()
                && neighbour.done()
                && world.checker.tally().runs.values().stream().allMatch(run -> run.state.ended());
    }
}
