package dev.weir.simulator;

import dev.weir.core.command.ApproveStep;
import dev.weir.core.command.CancelRun;
import dev.weir.core.command.PauseRun;
import dev.weir.core.command.RegisterWorkflow;
import dev.weir.core.command.ResumeRun;
import dev.weir.core.command.RetryRun;
import dev.weir.core.command.RunStepNow;
import dev.weir.core.command.SendSignal;
import dev.weir.core.command.SkipStep;
import dev.weir.core.definition.Step;
import dev.weir.core.definition.Workflow;
import dev.weir.core.plan.Plan;
import dev.weir.core.state.Attribution;
import dev.weir.core.state.DeadLetter;
import dev.weir.core.state.RunRequest;
import dev.weir.core.state.RunState;
import dev.weir.core.state.UnitId;
import dev.weir.engine.request.DeadLetterOutcome;
import dev.weir.engine.request.DeadLetterRequest;
import dev.weir.engine.request.RetryOutcome;
import dev.weir.engine.request.StartOutcome;
import dev.weir.engine.request.StartRequest;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import tools.jackson.databind.node.JsonNodeFactory;

/** Simulates one seed: a random organisation runs with faults; then the faults end, and everything must finish. */
public final class Simulation {
    private static final long FAULT_PERIOD = 60 * SimulatedWorld.SECOND;
    private static final long DRAIN_STEP = 10 * SimulatedWorld.SECOND;
    private static final long DRAIN_MAX = 4 * 60 * 60 * SimulatedWorld.SECOND;
    private static final int WORKERS = 4;

    private final SimulatedWorld world;
    private final RandomScenario scenario;
    private final NeighbourOrganisation neighbour;
    private final RateStarvation rateStarvation;
    private final EventSenders eventSenders;
    private final SimulatedOperator operator;
    private final List<Plan> plans = new ArrayList<>();
    private final List<SimulatedWorker> workers = new ArrayList<>();
    private final List<String> runs = new ArrayList<>();
    private final SimulatedWorker.Faults faults = new SimulatedWorker.Faults();
    private int workersStarted;
    private int registered;

    /**
     * The result of a simulation.
     *
     * @param digest a digest of the trace, always the same for the same seed
     * @param facts the number of facts in the trace
     * @param coverage the situations that occurred
     */
    public record Outcome(long digest, int facts, Set<Coverage> coverage) {}

    private Simulation(long seed, Consumer<Fact> listener) {
        var random = new SplittableRandom(seed);
        this.scenario = new RandomScenario(random.split());
        this.world = new SimulatedWorld(random.split(), listener);
        this.neighbour = new NeighbourOrganisation(world);
        this.rateStarvation = new RateStarvation(world);
        this.eventSenders = new EventSenders(world);
        this.operator = new SimulatedOperator(world, scenario, plans);
    }

    /** Simulates a seed. Throws a {@link Violation}, or the exception of a rule, if a promise is broken. */
    public static Outcome run(long seed) {
        return new Simulation(seed, fact -> {}).run();
    }

    /** Simulates a seed, and passes every fact to the listener as text when it happens. */
    public static Outcome runWithListener(long seed, Consumer<String> listener) {
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
            startWorker();
        }
        int starts = 4 + world.random.nextInt(4);
        for (int i = 0; i < starts; i++) {
            String id = "r" + i;
            world.schedule(world.randomBetween(0, FAULT_PERIOD / 3), () -> start(id));
        }
        int disturbances = 9 + world.random.nextInt(11);
        for (int i = 0; i < disturbances; i++) {
            world.schedule(world.randomBetween(0, FAULT_PERIOD), this::disturb);
        }
        var faultInjector = new FaultInjector(world, plans);
        int faultCount = 4 + world.random.nextInt(6);
        for (int i = 0; i < faultCount; i++) {
            world.schedule(world.randomBetween(0, FAULT_PERIOD), faultInjector::injectFault);
        }
        neighbour.startRuns(3 + world.random.nextInt(5), FAULT_PERIOD);
        eventSenders.send(1 + world.random.nextInt(3), FAULT_PERIOD);
        world.runUntil(world.now() + FAULT_PERIOD);
        drain();
        return new Outcome(world.trace.digest(), world.trace.facts(), EnumSet.copyOf(world.checker.coverage()));
    }

    private void startWorker() {
        List<String> modules = new ArrayList<>(RandomScenario.MODULES);
        if (faults.enabled && world.chance(50)) {
            modules.remove(world.random.nextInt(modules.size()));
        }
        workersStarted++;
        var worker = new SimulatedWorker(world, "worker" + workersStarted, modules, faults);
        workers.add(worker);
        world.schedule(world.randomBetween(0, SimulatedWorld.SECOND), worker::poll);
    }

    private void start(String id) {
        if (registered <= plans.size()) {
            world.schedule(SimulatedWorld.SECOND, () -> start(id));
            return;
        }
        Workflow workflow = plans.get(world.random.nextInt(plans.size())).workflow();
        var input = JsonNodeFactory.instance.objectNode().put("key", "c" + world.random.nextInt(2));
        if (world.chance(60)) {
            input.put(RandomScenario.REQUIRED_FIELD, true);
        }
        var start = new StartRequest(id, workflow.name(), input, null, null, new TreeMap<>(), options(workflow));
        if (world.chance(10)) {
            world.programs.submitInvalid(start);
        }
        if (world.chance(20)) {
            world.programs.submit(start);
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
                        again -> Violation.require(
                                again instanceof StartOutcome.Existing, "R0.14", "a start sent twice gave %s", again));
            }
        });
    }

    /** Waits until a start from the inbox is accepted; the engine reports that to nobody. */
    private void joinOnceAccepted(String id) {
        if (world.checker.traceState().runs.containsKey(id)) {
            runs.add(id);
            world.checker.coverage().add(Coverage.INBOX_START_ACCEPTED);
        } else {
            world.schedule(SimulatedWorld.SECOND / 2, () -> joinOnceAccepted(id));
        }
    }

    private RunRequest.Options options(Workflow workflow) {
        List<Step> steps = workflow.steps();
        return new RunRequest.Options(
                world.chance(15) ? world.randomBetween(1, 10 * SimulatedWorld.SECOND) : 0,
                world.chance(15)
                        ? List.of(steps.get(world.random.nextInt(steps.size())).id())
                        : List.of());
    }

    /** Retries a run. Most runs have not ended, or have completed. */
    private void retry(String run) {
        String retryId = RetryRun.nextRetryId(run);
        world.cluster.send(shard -> shard.retry(SimulatedCluster.ORG, run, retryId, Attribution.PROGRAM), answer -> {
            boolean made = answer instanceof RetryOutcome.Started || answer instanceof RetryOutcome.Existing;
            Violation.require(
                    made == world.checker.traceState().runs.containsKey(retryId)
                            || answer instanceof RetryOutcome.NotEnded,
                    "S7",
                    "the retry of %s was answered %s",
                    run,
                    answer);
            Violation.require(
                    !(answer instanceof RetryOutcome.NotFound), "S7", "run %s is known, and was not found", run);
            if (answer instanceof RetryOutcome.Started) {
                runs.add(retryId);
            }
        });
    }

    /** Redrives or discards the oldest or the newest open dead letter of a failed run or of a chain. */
    private void closeDeadLetter() {
        var letters = world.checker.openDeadLetters();
        Map.Entry<Long, String> chosen = world.chance(50) ? letters.firstEntry() : letters.lastEntry();
        if (chosen == null) {
            return;
        }
        var action = world.chance(70) ? DeadLetter.State.REDRIVEN : DeadLetter.State.DISCARDED;
        var request = new DeadLetterRequest(chosen.getKey(), chosen.getValue(), action);
        world.cluster.send(shard -> shard.close(SimulatedCluster.ORG, request, Attribution.PROGRAM), answer -> {
            Violation.require(!(answer instanceof DeadLetterOutcome.NotFound), "R4.13", "%s was not found", chosen);
            if (answer instanceof DeadLetterOutcome.Closed closed && closed.redrivenAs() != null && closed.isNew()) {
                runs.add(closed.redrivenAs());
            }
        });
    }

    private void disturb() {
        switch (world.random.nextInt(22)) {
            case 0, 1 -> killWorker();
            case 2, 3 -> pauseWorker();
            case 4 -> withRandomRun(run -> world.send(new CancelRun(invokingRunOr(run), null, "chaos")));
            case 5 ->
                withRandomRun(run -> {
                    world.send(new PauseRun(run));
                    world.schedule(
                            world.randomBetween(SimulatedWorld.SECOND, 20 * SimulatedWorld.SECOND),
                            () -> world.send(new ResumeRun(run)));
                });
            case 6 -> withRandomRun(operator::overrideRun);
            case 7, 8 -> operator.pinKey();
            case 9 -> operator.unpinKey();
            case 10 -> operator.pauseKey();
            case 11 -> operator.resetRate();
            case 12 -> operator.resumeKey();
            case 13 -> operator.changeRunLimit();
            case 14, 15 -> withRandomRun(this::decideSteps);
            case 16, 17 -> withRandomRun(run -> retry(failedRunOr(run)));
            case 18 -> closeDeadLetter();
            case 19 -> operator.suspendForAWhile();
            case 20 -> operator.pauseWorkflowForAWhile();
            default -> world.cluster.rebuild();
        }
    }

    /** Lets a person skip or approve the steps of a run that allow it. */
    private void decideSteps(String run) {
        for (Step step : world.checker.traceState().run(run).workflow.steps()) {
            if (world.chance(50)) {
                world.send(
                        new SkipStep(run, step.id()),
                        answer -> world.noteCoverage(answer == SkipStep.Answer.SKIPPED, Coverage.SKIPPED));
            }
        }
        approveAll(run);
        runStepsNow(run);
    }

    /** Lets an operator put the waiting steps of a run, and the first items of its fan-outs, ahead of all others. */
    private void runStepsNow(String run) {
        for (Step step : world.checker.traceState().run(run).workflow.steps()) {
            int item = step.fanOut() == null ? UnitId.NO_ITEM : 0;
            world.send(
                    new RunStepNow(new UnitId(run, step.id(), item)),
                    answer -> world.noteCoverage(answer == RunStepNow.Answer.AHEAD, Coverage.RUN_NOW));
        }
    }

    private void approveAll(String run) {
        for (Step step : world.checker.traceState().run(run).workflow.steps()) {
            world.send(
                    new ApproveStep(run, step.id(), "somebody", null),
                    answer -> world.noteCoverage(answer == ApproveStep.Answer.APPROVED, Coverage.APPROVED));
        }
    }

    private void killWorker() {
        SimulatedWorker worker = workers.remove(world.random.nextInt(workers.size()));
        worker.kill();
        world.schedule(world.randomBetween(SimulatedWorld.SECOND, 20 * SimulatedWorld.SECOND), this::startWorker);
        if (workers.isEmpty()) {
            startWorker();
        }
    }

    private void pauseWorker() {
        workers.get(world.random.nextInt(workers.size()))
                .pause(world.randomBetween(SimulatedWorld.SECOND, 30 * SimulatedWorld.SECOND));
    }

    private void withRandomRun(Consumer<String> action) {
        if (!runs.isEmpty()) {
            action.accept(runs.get(world.random.nextInt(runs.size())));
        }
    }

    /** A run that has failed or was cancelled, if there is one and by chance; otherwise the given one. */
    private String failedRunOr(String fallback) {
        return runs.stream()
                .filter(run -> {
                    RunState state = world.checker.traceState().run(run).state;
                    return (state == RunState.FAILED || state == RunState.CANCELLED) && world.chance(70);
                })
                .findFirst()
                .orElse(fallback);
    }

    /** A run that waits for a run that it invoked, if there is one and by chance; otherwise the given one. */
    private String invokingRunOr(String fallback) {
        return world.checker.traceState().runs.values().stream()
                .filter(run -> run.parent != null && !run.state.ended() && world.chance(80))
                .map(run -> Objects.requireNonNull(run.parent).run())
                .findFirst()
                .orElse(fallback);
    }

    private void drain() {
        faults.enabled = false;
        world.cluster.storeFaults.clear();
        world.note(new Fact.FaultsOff(world.now()));
        startWorker();
        if (world.chance(RateStarvation.SEED_PERCENT)) {
            rateStarvation.schedule(2 * DRAIN_STEP);
        }
        long giveUpAt = world.now() + DRAIN_MAX;
        while (!hasEnded() && world.now() < giveUpAt) {
            operator.removeValues();
            for (var entry : List.copyOf(world.checker.traceState().runs.entrySet())) {
                if (!entry.getValue().state.ended()) {
                    actForPeople(entry.getKey(), entry.getValue().state);
                }
            }
            world.schedule(0, () -> {});
            world.runUntil(world.now() + DRAIN_STEP);
        }
        world.note(new Fact.Drained(world.now()));
        world.checkNothingLeaked();
        world.programs.checkAll();
        neighbour.checkAll();
        rateStarvation.check();
        eventSenders.checkAll();
        WaitAccountingCheck.check(world.cluster.journal.records(), runs);
    }

    /** Does for a run what only people can do. */
    private void actForPeople(String run, RunState state) {
        approveAll(run);
        new SimulatedApprover(world).amend(run);
        if (state == RunState.PAUSED) {
            world.send(new ResumeRun(run));
        }
    }

    private boolean hasEnded() {
        return world.programs.isDone()
                && rateStarvation.isDone()
                && neighbour.isDone()
                && eventSenders.isDone()
                && world.checker.traceState().runs.values().stream().allMatch(run -> run.state.ended());
    }
}
