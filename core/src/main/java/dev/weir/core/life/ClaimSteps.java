package dev.weir.core.life;

import dev.weir.core.admission.Grant;
import dev.weir.core.plan.BuiltInModule;
import dev.weir.core.plan.Plan;
import dev.weir.core.state.RunState;
import dev.weir.core.state.UnitId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Claims chosen steps of one run at once. Every limit applies as usual; steps that may not start are left out.
 *
 * @param serves the modules that the worker serves; none = the modules of all steps, except those that Weir serves
 *     itself
 * @param steps the ids of the steps; none = any step of the run
 */
public record ClaimSteps(
        String request,
        String worker,
        String run,
        List<ClaimWork.Serves> serves,
        Set<String> steps,
        int limit,
        long lease)
        implements Command<ClaimSteps.Answer> {
    public ClaimSteps {
        serves = List.copyOf(serves);
        steps = Set.copyOf(steps);
        ClaimWork.requireBounds(limit, lease);
    }

    /** Creates the command of a worker that registers no defaults for its modules. */
    public ClaimSteps(
            String request, String worker, String run, Set<String> modules, Set<String> steps, int limit, long lease) {
        this(request, worker, run, modules.stream().map(ClaimWork.Serves::new).toList(), steps, limit, lease);
    }

    private Set<String> modules() {
        return serves.stream().map(ClaimWork.Serves::module).collect(Collectors.toSet());
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
    public Answer decide(Organisation org, long now) {
        Run found = org.runs.get(run);
        if (found == null) {
            return new Answer.NotFound();
        }
        List<Assignment> assignments = org.claims.of(request);
        if (assignments.isEmpty()) {
            ModuleDefaults.register(org, serves, now);
        }
        if (assignments.isEmpty() && found.gate != null && !org.askingAnew.unfinished(served(found))) {
            assignments = claim(org, found, now);
        }
        return new Answer.Claimed(assignments, found.state, org.running(run));
    }

    private List<Assignment> claim(Organisation org, Run found, long now) {
        var asker = new ClaimLifecycle.Asker(request, worker, lease);
        List<Assignment> assignments = new ArrayList<>();
        assignments.addAll(org.inputs.handOn(unit -> isChosen(found, unit), limit, asker, now));
        if (assignments.size() == limit) {
            return assignments;
        }
        List<Grant> grants = org.admission.claim(
                found.gate(), served(found), ticket -> names((Unit) ticket.subject()), limit - assignments.size(), now);
        for (Grant grant : grants) {
            assignments.add(org.claims.grant((Unit) grant.holding().subject(), grant.holding(), asker, now));
        }
        return assignments;
    }

    private boolean isChosen(Run found, Unit unit) {
        return unit.run().id().equals(found.id())
                && names(unit)
                && (serves.isEmpty() || modules().contains(unit.ask().module()));
    }

    private boolean names(Unit unit) {
        return steps.isEmpty() || steps.contains(unit.step().planned.id());
    }

    /**
     * Returns the modules that are claimed. Modules that Weir serves itself are left out, because nobody else may claim
     * them.
     */
    private Set<String> served(Run found) {
        Plan plan = found.request.plan();
        Stream<String> asked = serves.isEmpty()
                ? Stream.concat(plan.steps().stream(), plan.compensations().stream())
                        .map(step -> step.module() == null ? "" : step.module())
                : modules().stream();
        return asked.filter(module -> !BuiltInModule.owns(module)).collect(Collectors.toSet());
    }
}
