package dev.weir.core.plan;

import dev.weir.core.admission.RunLimitValues;
import dev.weir.core.admission.TicketSpec;
import dev.weir.core.definition.Action;
import dev.weir.core.definition.Step;
import dev.weir.core.definition.Workflow;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import dev.weir.core.limit.Moment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A workflow version, compiled once for all of its runs: steps by index, their dependencies, and values that do not
 * depend on a run.
 */
public final class Plan {
    /** The version of a workflow that is not registered. */
    public static final int UNREGISTERED = 0;

    /** The prices of reading a definition, of each step, and of each unit of its literal input. */
    private static final int READ_UNITS = 1_000;

    private static final int READ_UNITS_PER_STEP = 200;
    private static final int READ_UNITS_PER_LITERAL_UNIT = 4;

    private final Workflow workflow;
    private final int version;
    private final List<PlannedStep> steps;
    /** The compensation steps; their indexes follow those of the steps. */
    private final List<PlannedStep> compensations;

    private final Map<String, PlannedStep> byId = new HashMap<>();
    private final RunLimitValues runLimits;
    /** The needs of most runs, and their ticket spec. All such runs share these objects. */
    private final LimitNeeds defaultRunNeeds;

    private final TicketSpec defaultRunSpec;

    private Plan(Workflow workflow, int version) {
        this.workflow = workflow;
        this.version = version;
        this.runLimits = toRunLimitValues(workflow.runLimits());
        this.defaultRunNeeds = runNeeds(workflow.policy().priority());
        this.defaultRunSpec = defaultRunNeeds.toTicketSpec(null);
        List<PlannedStep> planned = new ArrayList<>(workflow.steps().size());
        for (Step step : workflow.steps()) {
            var next = new PlannedStep(workflow, step, planned.size());
            planned.add(next);
            byId.put(step.id(), next);
        }
        this.steps = List.copyOf(planned);
        for (PlannedStep step : steps) {
            for (String need : step.definition().needs()) {
                step.needs(get(need));
            }
        }
        this.compensations = compensations(workflow);
    }

    private List<PlannedStep> compensations(Workflow workflow) {
        List<PlannedStep> planned = new ArrayList<>();
        for (PlannedStep step : steps) {
            if (step.definition().resultRules().compensation() != null) {
                PlannedStep compensation = step.planCompensation(workflow, steps.size() + planned.size());
                planned.add(compensation);
                byId.put(compensation.id(), compensation);
            }
        }
        return List.copyOf(planned);
    }

    /** Compiles a workflow, which has already checked its own dependencies. */
    public static Plan of(Workflow workflow) {
        return new Plan(workflow, UNREGISTERED);
    }

    /** Compiles the given version of a workflow. */
    public static Plan of(Workflow workflow, int version) {
        return new Plan(workflow, version);
    }

    /** The cost of reading the definition from the store and building this plan, in budget units. */
    public long readUnits() {
        long units = READ_UNITS;
        for (PlannedStep step : steps) {
            units += READ_UNITS_PER_STEP + READ_UNITS_PER_LITERAL_UNIT * step.literalUnits();
        }
        return units;
    }

    public Workflow workflow() {
        return workflow;
    }

    public int version() {
        return version;
    }

    /** Returns the index of a step in definition order, from 0; compensations follow the steps. The step must exist. */
    public int indexOf(String step) {
        return get(step).index();
    }

    /** True if there is a step or compensation with that id. */
    public boolean hasStep(String step) {
        return find(step) != null;
    }

    /** Returns the id of the step with that index. */
    public String stepIdAt(int index) {
        return at(index).id();
    }

    /** Returns the needs of a step unless its run or module say otherwise; null if they depend on the run. */
    public @Nullable LimitNeeds defaultLimitNeeds(int index) {
        return at(index).defaultLimitNeeds();
    }

    /**
     * Returns the keys of a step's needs, if everything else in the needs follows from the definition; otherwise null.
     */
    public @Nullable List<String> keysOf(int index, LimitNeeds needs) {
        return at(index).keysOf(workflow, needs);
    }

    /** Returns the needs of a step with these keys; the inverse of {@link #keysOf}. */
    public LimitNeeds limitNeedsFor(int index, List<String> keys) {
        return at(index).limitNeedsFor(workflow, keys);
    }

    /** Returns the needs of a run with that priority if its workflow sets no run limits. */
    public LimitNeeds defaultRunNeeds(int priority) {
        return priority == defaultRunNeeds.priority() ? defaultRunNeeds : runNeeds(priority);
    }

    private LimitNeeds runNeeds(int priority) {
        List<LimitNeed> needs =
                List.of(unlimitedNeed(new LimitId.OrgRuns()), unlimitedNeed(new LimitId.WorkflowRuns(workflow.name())));
        return new LimitNeeds(BuiltInModule.RUNS, needs, 1, false, priority);
    }

    private static LimitNeed unlimitedNeed(LimitId.Shared limit) {
        return new LimitNeed(limit, LimitNeed.UNLIMITED, 1, null, 1);
    }

    /** Converts a run's needs to a ticket spec. */
    @SuppressWarnings("ReferenceEquality") // comparing identity keeps this cheap
    public TicketSpec runSpec(LimitNeeds needs) {
        return needs == defaultRunNeeds ? defaultRunSpec : needs.toTicketSpec(null);
    }

    /**
     * Returns the input of a step if it is plain work and its input depends only on the run's id and input; otherwise
     * null.
     */
    public @Nullable JsonNode renderInput(int index, String run, JsonNode input) {
        PlannedStep step = at(index);
        if (!isPlainWork(index) || !step.readsRunOnly()) {
            return null;
        }
        return step.literalInput() != null
                ? step.literalInput().value()
                : step.input()
                        .renderKeepingSecrets(RunScope.of(step.toString(), run, input))
                        .value();
    }

    /** True if {@link #renderInput} is cheap for that step. If not, storing the input is better. */
    public boolean isInputCheap(int index) {
        return isPlainWork(index)
                && at(index).readsRunOnly()
                && at(index).input().hasOnlyPaths();
    }

    /** True if workers do the step and it has no gate. */
    public boolean isPlainWork(int index) {
        Step definition = at(index).definition();
        return definition.action() instanceof Action.Uses
                && definition.preconditions().gate() == null;
    }

    public RunLimitValues runLimits() {
        return runLimits;
    }

    public List<PlannedStep> steps() {
        return steps;
    }

    public List<PlannedStep> compensations() {
        return compensations;
    }

    private PlannedStep at(int index) {
        return index < steps.size() ? steps.get(index) : compensations.get(index - steps.size());
    }

    /** Returns the given steps and all steps that they need. Each of them must exist. */
    public Set<PlannedStep> withNeeds(List<String> targets) {
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

    /** Finds a step or compensation; null if there is none with that id. */
    public @Nullable PlannedStep find(String id) {
        return byId.get(id);
    }

    private PlannedStep get(String id) {
        PlannedStep step = byId.get(id);
        if (step == null) {
            throw new IllegalArgumentException("workflow " + workflow.name() + " has no step " + id);
        }
        return step;
    }

    private static RunLimitValues toRunLimitValues(dev.weir.core.definition.RunLimits limits) {
        return new RunLimitValues(
                orUnlimited(limits.maxConcurrentSteps()),
                orUnlimited(limits.maxParallel()),
                orUnlimited(limits.maxStepsPerTick()),
                Moment.micros(limits.tickInterval()));
    }

    private static int orUnlimited(@Nullable Integer limit) {
        return limit == null ? RunLimitValues.UNLIMITED : limit;
    }

    /** Plans of the same registered version are equal, wherever they were compiled. */
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
