package dev.weir.simulator;

import dev.weir.core.command.ConfigureRunLimits;
import dev.weir.core.command.OverrideRun;
import dev.weir.core.command.PauseKey;
import dev.weir.core.command.PinKey;
import dev.weir.core.command.ResetRate;
import dev.weir.core.command.ResumeKey;
import dev.weir.core.command.ResumeOrganisation;
import dev.weir.core.command.SetWorkflowAvailability;
import dev.weir.core.command.SuspendOrganisation;
import dev.weir.core.command.UnpinKey;
import dev.weir.core.limit.FieldChange;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.limit.Rate;
import dev.weir.core.limit.Window;
import dev.weir.core.plan.Plan;
import dev.weir.core.state.WorkflowAvailability;
import java.util.ArrayList;
import java.util.List;

/** An operator who changes the limits of keys and runs at random. */
final class SimulatedOperator {
    private final SimulatedWorld world;
    private final RandomScenario scenario;
    private final List<Plan> plans;

    SimulatedOperator(SimulatedWorld world, RandomScenario scenario, List<Plan> plans) {
        this.world = world;
        this.scenario = scenario;
        this.plans = plans;
    }

    void overrideRun(String run) {
        world.send(randomOverride(run));
    }

    void unpinKey() {
        world.send(new UnpinKey(randomKeyId()));
    }

    void pauseKey() {
        world.send(new PauseKey(randomKeyId(), randomUntil()));
    }

    void resetRate() {
        world.send(new ResetRate(randomKeyId()));
    }

    void resumeKey() {
        world.send(new ResumeKey(randomKeyId()));
    }

    /** Suspends the organisation for at most a few seconds. */
    void suspendForAWhile() {
        world.send(new SuspendOrganisation(SimulatedCluster.ORG, "chaos"));
        world.schedule(
                world.randomBetween(SimulatedWorld.SECOND, 10 * SimulatedWorld.SECOND),
                () -> world.send(new ResumeOrganisation(SimulatedCluster.ORG)));
    }

    /** Pauses a workflow for at most a few seconds. */
    void pauseWorkflowForAWhile() {
        String workflow =
                plans.get(world.random.nextInt(plans.size())).workflow().name();
        world.send(new SetWorkflowAvailability(workflow, WorkflowAvailability.PAUSED));
        world.schedule(
                world.randomBetween(SimulatedWorld.SECOND, 20 * SimulatedWorld.SECOND),
                () -> world.send(new SetWorkflowAvailability(workflow, WorkflowAvailability.OPEN)));
    }

    /** Lets an operator lower, raise or pause a limit that all runs share. */
    void changeRunLimit() {
        LimitId.Runs limit = runLimits().get(world.random.nextInt(runLimits().size()));
        world.checker.coverage().add(Coverage.RUN_LIMIT_OPERATED);
        if (world.chance(30)) {
            world.send(new PauseKey(limit, randomUntil()));
        } else {
            changeCapacity(limit);
        }
    }

    private void changeCapacity(LimitId.Runs limit) {
        FieldChange<Integer> perKey = limit instanceof LimitId.WorkflowRuns ? change(50, 2) : new FieldChange.Keep<>();
        configure(limit, change(70, 3), perKey, randomUntil());
    }

    private void configure(LimitId.Runs limit, FieldChange<Integer> runs, FieldChange<Integer> perKey, long until) {
        var values = new ConfigureRunLimits.Values(
                runs, new FieldChange.Keep<>(), perKey, new FieldChange.Keep<>(), ConfigureRunLimits.Note.NONE, until);
        world.send(new ConfigureRunLimits(limit, values, null));
    }

    private List<LimitId.Runs> runLimits() {
        List<LimitId.Runs> limits = new ArrayList<>(List.of(new LimitId.OrgRuns()));
        plans.forEach(
                plan -> limits.add(new LimitId.WorkflowRuns(plan.workflow().name())));
        return limits;
    }

    /** Removes all values. Call it repeatedly, because an earlier command may still be on its way. */
    void removeValues() {
        TraceState traceState = world.checker.traceState();
        traceState.pins.keySet().forEach(this::removePin);
        world.send(new ResumeOrganisation(SimulatedCluster.ORG));
        plans.forEach(
                plan -> world.send(new SetWorkflowAvailability(plan.workflow().name(), WorkflowAvailability.OPEN)));
        traceState.pauses.keySet().stream()
                .filter(limit -> !limit.equals(OperatorValues.SUSPENSION))
                .forEach(limit -> world.send(new ResumeKey(LimitId.Shared.of(limit))));
        traceState.runs.forEach((run, facts) -> {
            if (facts.overridden != null && !facts.state.ended()) {
                world.send(OverrideRun.replacing(run, null, null));
            }
        });
    }

    private void removePin(String limit) {
        if (limit.startsWith(OperatorValues.RUN_KEYS)) {
            var workflow = new LimitId.WorkflowRuns(limit.substring(OperatorValues.RUN_KEYS.length()));
            configure(workflow, new FieldChange.Keep<>(), new FieldChange.Clear<>(), Moment.NEVER);
        } else if (LimitId.Shared.of(limit) instanceof LimitId.Runs runs) {
            configure(runs, new FieldChange.Clear<>(), new FieldChange.Keep<>(), Moment.NEVER);
        } else {
            world.send(new UnpinKey(LimitId.Shared.of(limit)));
        }
    }

    private LimitId.Shared randomKeyId() {
        return new LimitId.Key(randomKey().name());
    }

    private RandomScenario.KeyValues randomKey() {
        return scenario.keys().get(world.random.nextInt(scenario.keys().size()));
    }

    private OverrideRun randomOverride(String run) {
        if (world.chance(20)) {
            return OverrideRun.replacing(run, null, null);
        }
        FieldChange<Integer> steps = change(50, 4);
        FieldChange<Integer> slots = change(75, 2);
        return new OverrideRun(run, new OverrideRun.Values(steps, slots, randomUntil(), world.chance(30)));
    }

    /** A new value with this chance in percent; otherwise the old one is kept or cleared. */
    private FieldChange<Integer> change(int percent, int max) {
        if (world.chance(percent)) {
            return new FieldChange.Replace<>(1 + world.random.nextInt(max));
        }
        return world.chance(70) ? new FieldChange.Keep<>() : new FieldChange.Clear<>();
    }

    private long randomUntil() {
        return world.chance(70)
                ? world.now() + world.randomBetween(SimulatedWorld.SECOND, 30 * SimulatedWorld.SECOND)
                : Moment.NEVER;
    }

    /**
     * Pins a random key. A rate is pinned only on keys with a rate, over the same window, so that it counts the same starts.
     */
    void pinKey() {
        RandomScenario.KeyValues key = randomKey();
        boolean rate = key.period() != null && world.chance(40);
        Rate pinned = null;
        if (rate && key.period() != null) {
            var window = Window.valueOf(key.window().name());
            pinned = new Rate(1 + world.random.nextInt(4), Moment.micros(key.period()), window);
        }
        Integer parallelism = rate ? null : (Integer) (1 + world.random.nextInt(3));
        world.send(PinKey.of(new LimitId.Key(key.name()), parallelism, pinned, randomUntil()));
    }
}
