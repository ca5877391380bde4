package dev.weir.core.life;

import dev.weir.core.admission.Grant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Claims chosen steps of one run, now. Every limit holds as ever; what may not start is left out.
 *
 * @param serves the modules that the worker serves; none = whatever the steps are of, save what Weir serves itself
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

    /** For a worker that says nothing of its modules. */
    public ClaimSteps(
            String request, String worker, String run, Set<String> modules, Set<String> steps, int limit, long lease) {
        this(request, worker, run, modules.stream().map(ClaimWork.Serves::new).toList(), steps, limit, lease);
    }

    private Set<String> modules() {
        return serves.stream().map(ClaimWork.Serves::module).collect(Collectors.toSet());
    }

    /** What the one who claims is told. */
    public sealed interface Answer {
        /**
         * The claims, perhaps none, and the run as it is now.
         *
         * @param running what of the run is in flight
         */
        record Claimed(List<Assignment> assignments, RunState state, List<UnitId> running) implements Answer {}

        /** There is no such run that lives. */
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
            Profiles.register(org, serves, now);
        }
        if (assignments.isEmpty() && found.gate != null && !org.askingAnew.unfinished(served(found))) {
            assignments = claim(org, found, now);
        }
        return new Answer.Claimed(assignments, found.state, org.running(run));
    }

    private List<Assignment> claim(Organisation org, Run found, long now) {
        var asker = new Claims.Asker(request, worker, lease);
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

    /** What Weir does itself is for nobody else. */
    private Set<String> served(Run found) {
        Plan plan = found.request.plan();
        Stream<String> asked = serves.isEmpty()
                ? Stream.concat(plan.steps().stream(), plan.compensations().stream())
                        .map(step -> step.module == null ? "" : step.module)
                : modules().stream();
        return asked.filter(module -> !BuiltIn.owns(module)).collect(Collectors.toSet());
    }
}
