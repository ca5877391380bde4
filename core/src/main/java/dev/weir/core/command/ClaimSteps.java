package dev.weir.core.command;

import dev.weir.core.plan.BuiltInModule;
import dev.weir.core.plan.Plan;
import dev.weir.core.state.RunRow;
import dev.weir.core.state.RunState;
import dev.weir.core.state.UnitId;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Claims chosen steps of one run at once. Every limit applies as usual; steps that may not start are left out.
 *
 * @param servedModules the modules that the worker serves; none = the modules of all steps, except those that Weir serves
 *     itself
 * @param steps the ids of the steps; none = any step of the run
 */
public record ClaimSteps(
        String request,
        String worker,
        String run,
        List<ClaimWork.ServedModule> servedModules,
        Set<String> steps,
        int limit,
        long lease)
        implements WorkerCommand<ClaimSteps.Answer> {
    public ClaimSteps {
        servedModules = List.copyOf(servedModules);
        steps = Set.copyOf(steps);
        ClaimWork.requireBounds(limit, lease);
    }

    /** Creates the command of a worker that registers no defaults for its modules. */
    public ClaimSteps(
            String request, String worker, String run, Set<String> modules, Set<String> steps, int limit, long lease) {
        this(
                request,
                worker,
                run,
                modules.stream().map(ClaimWork.ServedModule::new).toList(),
                steps,
                limit,
                lease);
    }

    private Set<String> modules() {
        return servedModules.stream().map(ClaimWork.ServedModule::module).collect(Collectors.toSet());
    }

    /** The answer to the worker. */
    public sealed interface Answer {
        /**
         * The claims, perhaps none, and the current state of the run.
         *
         * @param running the steps and items of the run that are in flight
         */
        record Claimed(List<Assignment> assignments, RunState state, List<UnitId> running) implements Answer {}

        /** No live run has this id. */
        record NotFound() implements Answer {}
    }

    @Override
    public @Nullable JsonNode data() {
        return null;
    }

    @Override
    public String describeTarget() {
        return "run " + run;
    }

    @Override
    public Answer decide(WorkControl work, long now) {
        if (!work.isLive(run)) {
            return new Answer.NotFound();
        }
        List<Assignment> assignments = work.claimsOf(request);
        if (assignments.isEmpty()) {
            assignments = work.claim(this, now);
        }
        RunState state = work.findRun(run).map(RunRow::state).orElseThrow();
        return new Answer.Claimed(assignments, state, work.running(run));
    }

    /** True if the request names the step, or any step. */
    public boolean chooses(String step) {
        return steps.isEmpty() || steps.contains(step);
    }

    /** True if the worker serves the module, or any module. */
    public boolean servesModule(String module) {
        return servedModules.isEmpty() || modules().contains(module);
    }

    /**
     * Returns the modules that are claimed. Modules that Weir serves itself are left out, because nobody else may claim
     * them.
     */
    public Set<String> modulesOf(Plan plan) {
        Stream<String> requested = servedModules.isEmpty()
                ? Stream.concat(plan.steps().stream(), plan.compensations().stream())
                        .map(step -> step.module() == null ? "" : step.module())
                : modules().stream();
        return requested.filter(module -> !BuiltInModule.isBuiltIn(module)).collect(Collectors.toSet());
    }
}
