package dev.weir.core.life;

import dev.weir.core.admission.RunLimits;
import dev.weir.core.admission.TicketSpec;
import dev.weir.core.definition.Action;
import dev.weir.core.definition.Step;
import dev.weir.core.definition.Workflow;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.limit.Need;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A workflow compiled once for all of its runs: steps by number, who needs whom, and what can be known beforehand. */
public final class Plan {
    /** The version of a workflow that is not registered. */
    public static final int UNREGISTERED = 0;

    private final Workflow workflow;
    private final int version;
    private final List<PlannedStep> steps;
    /** What undoes steps; their numbers come after those of the steps. */
    private final List<PlannedStep> compensations;

    private final Map<String, PlannedStep> byId = new HashMap<>();
    private final RunLimits runLimits;
    /** What most runs ask for, and the same as admission takes it: one for all of them. */
    private final Ask usualRunAsk;

    private final TicketSpec usualRunSpec;

    private Plan(Workflow workflow, int version) {
        this.workflow = workflow;
        this.version = version;
        this.runLimits = limits(workflow.runLimits());
        this.usualRunAsk = runAsk(workflow.policy().priority());
        this.usualRunSpec = usualRunAsk.spec(null);
        List<PlannedStep> planned = new ArrayList<>(workflow.steps().size());
        for (Step step : workflow.steps()) {
            var next = new PlannedStep(workflow, step, planned.size());
            planned.add(next);
            byId.put(step.id(), next);
        }
        this.steps = List.copyOf(planned);
        for (PlannedStep step : steps) {
            for (String need : step.definition.needs()) {
                step.needs(get(need));
            }
        }
        this.compensations = compensations(workflow);
    }

    private List<PlannedStep> compensations(Workflow workflow) {
        List<PlannedStep> planned = new ArrayList<>();
        for (PlannedStep step : steps) {
            if (step.definition.ending().compensation() != null) {
                PlannedStep undo = step.compensate(workflow, steps.size() + planned.size());
                planned.add(undo);
                byId.put(undo.id(), undo);
            }
        }
        return List.copyOf(planned);
    }

    /** Compiles a workflow, which has checked its own dependencies. */
    public static Plan of(Workflow workflow) {
        return new Plan(workflow, UNREGISTERED);
    }

    /** Compiles the given version of a workflow. */
    public static Plan of(Workflow workflow, int version) {
        return new Plan(workflow, version);
    }

    public Workflow workflow() {
        return workflow;
    }

    public int version() {
        return version;
    }

    /** The number of a step in the order of the definition, from 0; what undoes steps comes after them. It must exist. */
    public int indexOf(String step) {
        return get(step).index;
    }

    /** Whether there is a step of that id, one that undoes another included. */
    public boolean has(String step) {
        return find(step) != null;
    }

    /** The id of the step with that number. */
    public String stepAt(int index) {
        return at(index).id();
    }

    /** What the step with that number asks for unless its run or its module say otherwise; absent if that depends on the run. */
    public @Nullable Ask usualAsk(int index) {
        return at(index).usualAsk;
    }

    /** The keys that the step with that number asks for, if all else of what it asks for follows from the definition. */
    public @Nullable List<String> keysOf(int index, Ask ask) {
        return at(index).keysOf(workflow, ask);
    }

    /** What the step with that number asks for with these keys, see {@link #keysOf}. */
    public Ask askFor(int index, List<String> keys) {
        return at(index).askFor(workflow, keys);
    }

    /** What a run of that priority asks of the limits of runs where its workflow sets none. */
    public Ask usualRunAsk(int priority) {
        return priority == usualRunAsk.priority() ? usualRunAsk : runAsk(priority);
    }

    private Ask runAsk(int priority) {
        List<Need> needs = List.of(free(new LimitId.OrgRuns()), free(new LimitId.WorkflowRuns(workflow.name())));
        return new Ask(BuiltIn.RUNS, needs, 1, false, priority);
    }

    private static Need free(LimitId.Shared limit) {
        return new Need(limit, Need.UNLIMITED, 1, null, 1);
    }

    /** What a run asks for as admission takes it. */
    @SuppressWarnings("ReferenceEquality") // comparing for identity is what makes it cheap
    TicketSpec runSpec(Ask asked) {
        return asked == usualRunAsk ? usualRunSpec : asked.spec(null);
    }

    /** The input of the step with that number, if it is work that needs no more for it than its run's id and input. */
    public @Nullable JsonNode inputFrom(int index, String run, JsonNode input) {
        PlannedStep step = at(index);
        if (!isPlainWork(index) || !step.readsRunOnly) {
            return null;
        }
        return step.literalInput != null
                ? step.literalInput.value()
                : step.input.renderKeepingSecrets(Scopes.of(step, run, input)).value();
    }

    /** Whether that input can be told, see {@link #inputFrom}. */
    public boolean tellsInput(int index) {
        return isPlainWork(index) && at(index).readsRunOnly;
    }

    /** Whether the step with that number is done by workers, and nobody is asked before. */
    public boolean isPlainWork(int index) {
        Step definition = at(index).definition;
        return definition.action() instanceof Action.Uses
                && definition.preconditions().gate() == null;
    }

    RunLimits runLimits() {
        return runLimits;
    }

    List<PlannedStep> steps() {
        return steps;
    }

    List<PlannedStep> compensations() {
        return compensations;
    }

    private PlannedStep at(int index) {
        return index < steps.size() ? steps.get(index) : compensations.get(index - steps.size());
    }

    /** The given steps and all that they need; each of them must exist. */
    Set<PlannedStep> withNeeds(List<String> targets) {
        Set<PlannedStep> found = new HashSet<>();
        ArrayDeque<PlannedStep> next = new ArrayDeque<>();
        targets.forEach(target -> next.add(get(target)));
        for (PlannedStep step = next.poll(); step != null; step = next.poll()) {
            if (found.add(step)) {
                next.addAll(step.needs());
            }
        }
        return found;
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

    /** Plans of one version are one and the same, wherever they were compiled. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other == this
                || (other instanceof Plan plan
                        && version != UNREGISTERED
                        && version == plan.version
                        && workflow.name().equals(plan.workflow.name()));
    }

    @Override
    public int hashCode() {
        return workflow.name().hashCode();
    }

    @Override
    public String toString() {
        return "plan of " + workflow.name();
    }
}
