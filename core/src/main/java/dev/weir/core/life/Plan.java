package dev.weir.core.life;

import dev.weir.core.admission.RunLimits;
import dev.weir.core.definition.Step;
import dev.weir.core.definition.Workflow;
import dev.weir.core.limit.Moment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A workflow compiled once for all of its runs: steps by number, who needs whom, and what can be known beforehand. */
public final class Plan {
    private final Workflow workflow;
    private final List<PlannedStep> steps;
    private final Map<String, PlannedStep> byId = new HashMap<>();
    private final RunLimits runLimits;

    private Plan(Workflow workflow) {
        this.workflow = workflow;
        this.runLimits = limits(workflow.runLimits());
        List<PlannedStep> planned = new ArrayList<>(workflow.steps().size());
        for (Step step : workflow.steps()) {
            var next = new PlannedStep(workflow, step, planned.size());
            planned.add(next);
            if (byId.put(step.id(), next) != null) {
                throw new IllegalArgumentException("expected every step once, found twice: " + step.id());
            }
        }
        this.steps = List.copyOf(planned);
        for (PlannedStep step : steps) {
            for (String need : step.definition.needs()) {
                step.needs(get(need));
            }
        }
        requireAcyclic();
    }

    /** Compiles a workflow whose dependencies were checked when it was registered; a cycle is refused here too. */
    public static Plan of(Workflow workflow) {
        return new Plan(workflow);
    }

    public Workflow workflow() {
        return workflow;
    }

    RunLimits runLimits() {
        return runLimits;
    }

    List<PlannedStep> steps() {
        return steps;
    }

    @Nullable
    PlannedStep find(String id) {
        return byId.get(id);
    }

    private PlannedStep get(String id) {
        PlannedStep step = byId.get(id);
        if (step == null) {
            throw new IllegalArgumentException("workflow " + workflow.name() + " has no step " + id);
        }
        return step;
    }

    private void requireAcyclic() {
        int[] open = new int[steps.size()];
        List<PlannedStep> free = new ArrayList<>();
        for (PlannedStep step : steps) {
            open[step.index] = step.needs().size();
            if (open[step.index] == 0) {
                free.add(step);
            }
        }
        for (int i = 0; i < free.size(); i++) {
            for (PlannedStep dependent : free.get(i).dependents()) {
                open[dependent.index]--;
                if (open[dependent.index] == 0) {
                    free.add(dependent);
                }
            }
        }
        if (free.size() < steps.size()) {
            throw new IllegalArgumentException("workflow " + workflow.name() + " has steps that need each other");
        }
    }

    private static RunLimits limits(dev.weir.core.definition.RunLimits limits) {
        return new RunLimits(
                orUnlimited(limits.maxConcurrentSteps()),
                orUnlimited(limits.maxParallel()),
                orUnlimited(limits.maxStepsPerTick()),
                Moment.micros(limits.tickInterval()));
    }

    private static int orUnlimited(@Nullable Integer limit) {
        return limit == null ? RunLimits.UNLIMITED : limit;
    }

    @Override
    public String toString() {
        return "plan of " + workflow.name();
    }
}
