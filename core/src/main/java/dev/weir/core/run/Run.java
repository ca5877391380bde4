package dev.weir.core.run;

import dev.weir.core.admission.Allocation;
import dev.weir.core.admission.RunLimiter;
import dev.weir.core.admission.RunOverrides;
import dev.weir.core.admission.Subject;
import dev.weir.core.admission.Ticket;
import dev.weir.core.definition.JsonSchema;
import dev.weir.core.expression.UnitCounter;
import dev.weir.core.limit.Moment;
import dev.weir.core.plan.LimitNeeds;
import dev.weir.core.plan.PlannedStep;
import dev.weir.core.state.AwaitedEvent;
import dev.weir.core.state.RunEnding;
import dev.weir.core.state.RunRef;
import dev.weir.core.state.RunRequest;
import dev.weir.core.state.RunRow;
import dev.weir.core.state.RunState;
import dev.weir.core.state.Signal;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A live run. It holds the mutable state; {@link RunLifecycle} has the rules. */
final class Run extends Timer implements Subject {
    /** The number of low bits of a tie-breaker that hold the index of a step. */
    private static final int STEP_BITS = 11;
    /** A step index that sorts after every step of the run. */
    private static final int AFTER_STEPS = (1 << STEP_BITS) - 1;

    /** The results as long as no step has ended. Shared by all runs, so it must not be changed. */
    private static final ObjectNode NO_RESULTS = JsonNodeFactory.instance.objectNode();

    final RunRequest request;
    final RunRef ref;
    LimitNeeds limitNeeds;
    final long acceptedAt;
    final RunStep[] steps;
    /** The queue of the run itself; null once it has started. */
    @Nullable
    RunLimiter startLimiter;

    /** The neighbours in {@link LiveRuns}. */
    @Nullable
    Run earlier;

    @Nullable
    Run later;

    RunState state = RunState.QUEUED;
    long startedAt = RunRow.NOT_STARTED;
    long lastGrantAt = RunRow.NOT_STARTED;
    int startsInTick;

    @Nullable
    Ticket ticket;

    @Nullable
    Allocation allocation;

    @Nullable
    RunLimiter limiter;

    @Nullable
    RunEnding ending;

    @Nullable
    RunOverrides overrides;

    RunRow.Detail detail = RunRow.Detail.DEFAULT;

    /** Signals that no step has waited for yet, by number. */
    NavigableMap<Long, Signal> signals = Collections.emptyNavigableMap();
    /** Number of completed steps that have a compensation. */
    int compensatableCount;
    /** The compensation steps, created on first use. */
    private RunStep @Nullable [] compensationSteps;
    /** True if {@code inputMisfit} is up to date. */
    private boolean inputChecked;

    private @Nullable String inputMisfit;

    /** The live runs that its steps have invoked, oldest first. */
    private Set<Run> children = Set.of();

    /** Number of steps that have not ended. */
    int openStepCount;
    /** Number of steps that continue without outside help. */
    int activeStepCount;
    /** Number of steps that {@link Readiness} still has to look at. */
    int stepsToCheck;

    private @Nullable ObjectNode results;

    Run(RunRequest request, RunRef ref, LimitNeeds limitNeeds, long acceptedAt) {
        this.request = request;
        this.ref = ref;
        this.limitNeeds = limitNeeds;
        this.acceptedAt = acceptedAt;
        List<PlannedStep> planned = request.plan().steps();
        this.steps = new RunStep[planned.size()];
        for (int i = 0; i < steps.length; i++) {
            steps[i] = new RunStep(this, planned.get(i));
        }
        this.openStepCount = steps.length;
    }

    String id() {
        return request.run();
    }

    long number() {
        return ref.number();
    }

    /** The limiter at which the run can be paused: its entrance before the start, its gate afterwards. */
    RunLimiter currentLimiter() {
        return startLimiter == null ? limiter() : startLimiter;
    }

    /** The run's own limiter, which exists once the run has started. */
    RunLimiter limiter() {
        if (limiter == null) {
            throw new IllegalStateException("expected a run that has started, found run " + id() + " " + state);
        }
        return limiter;
    }

    /** Finds a step or item of this run. */
    @Nullable
    Unit find(UnitId id) {
        PlannedStep planned = request.plan().find(id.step());
        if (planned == null) {
            return null;
        }
        RunStep step = step(planned);
        return id.item() == UnitId.NO_ITEM ? step : step.findItem(id.item());
    }

    RunStep step(PlannedStep planned) {
        return planned.isCompensation() ? compensationStep(planned) : steps[planned.index()];
    }

    /** Returns a compensation step. */
    RunStep compensationStep(PlannedStep planned) {
        if (compensationSteps == null) {
            List<PlannedStep> all = request.plan().compensations();
            compensationSteps = new RunStep[all.size()];
            for (int i = 0; i < compensationSteps.length; i++) {
                compensationSteps[i] = new RunStep(this, all.get(i));
            }
        }
        return compensationSteps[planned.index() - steps.length];
    }

    List<RunStep> compensationSteps() {
        return compensationSteps == null ? List.of() : List.of(compensationSteps);
    }

    JsonNode input() {
        return detail.input() == null ? request.input() : detail.input();
    }

    void amend(JsonNode newInput) {
        detail = detail.withInput(newInput);
        inputChecked = false;
    }

    /** Describes why the input does not fit the workflow's schema; null if it fits. */
    @Nullable
    String inputMisfit(UnitCounter counter) {
        if (!inputChecked) {
            JsonSchema schema = request.plan().workflow().about().inputSchema();
            inputMisfit = schema == null ? null : SchemaMisfit.describe(schema, input(), counter);
            inputChecked = true;
        }
        return inputMisfit;
    }

    Set<Run> children() {
        return children;
    }

    void addChild(Run child) {
        if (children.isEmpty()) {
            children = new LinkedHashSet<>();
        }
        children.add(child);
    }

    /** The child run that this run lends its allocation to. */
    @Nullable
    Run borrower() {
        for (Run child : children) {
            if (child.detail.borrows()) {
                return child;
            }
        }
        return null;
    }

    boolean hasDeadline() {
        return detail.deadlineAt() != Moment.NEVER;
    }

    /** Returns the steps and items that are in flight, oldest grant first. */
    List<UnitId> running() {
        List<UnitId> running = new ArrayList<>();
        if (limiter != null) {
            limiter.running().forEach(subject -> running.add(((Unit) subject).id()));
        }
        return running;
    }

    /** True if any step waits for this event. */
    boolean hasStepWaitingFor(AwaitedEvent reason) {
        for (RunStep step : steps) {
            if (step.waitsFor == reason) {
                return true;
            }
        }
        return false;
    }

    /** True if a step still has items to create, from the run's input and results so far. */
    boolean isCreatingItems() {
        for (RunStep step : steps) {
            if (step.items != null && step.items.isCreating() && !step.state.ended()) {
                return true;
            }
        }
        return false;
    }

    /** Updates the counts of open and lively steps. */
    void count(RunStep step, StepState from, StepState to) {
        if (step.planned.isCompensation()) {
            return;
        }
        activeStepCount += (isActiveIn(step, to) ? 1 : 0) - (step.countsAsActive ? 1 : 0);
        step.countsAsActive = isActiveIn(step, to);
        if (to.ended() && !from.ended()) {
            openStepCount--;
            resultChanged(step);
        }
    }

    void resultChanged(RunStep step) {
        if (results != null) {
            results.set(step.planned.id(), step.result());
        }
    }

    /** Counts a restored step. */
    void countRestored(RunStep step) {
        step.countsAsActive = isActiveIn(step, step.state);
        activeStepCount += step.countsAsActive ? 1 : 0;
        openStepCount -= step.state.ended() ? 1 : 0;
        compensatableCount = Math.max(compensatableCount, step.detail.completionOrder());
        for (PlannedStep need : step.planned.needs()) {
            step.openNeeds -= steps[need.index()].state.ended() ? 1 : 0;
        }
    }

    private static boolean isActiveIn(RunStep step, StepState state) {
        return switch (state) {
            case READY, REQUESTED, RUNNING, NEEDS_INPUT, BACKING_OFF -> true;
            case WAITING -> step.waitsFor != null && step.waitsFor.isSelfTriggered();
            case BLOCKED, COMPLETED, FAILED, CANCELLED, SKIPPED -> false;
        };
    }

    /** The results of ended steps, as expressions see them. Built when the first expression reads them. */
    ObjectNode results() {
        if (results == null && !anyEnded()) {
            return NO_RESULTS;
        }
        if (results == null) {
            results = JsonNodeFactory.instance.objectNode();
            for (RunStep step : steps) {
                if (step.state.ended()) {
                    results.set(step.planned.id(), step.result());
                }
            }
        }
        return results;
    }

    /** True if any step has ended, judged by the states: during a restore the steps are not counted yet. */
    private boolean anyEnded() {
        for (RunStep step : steps) {
            if (step.state.ended()) {
                return true;
            }
        }
        return false;
    }

    static long tieBreaker(long number, int step) {
        return (number << STEP_BITS) | step;
    }

    @Override
    public boolean isLive(Allocation other) {
        return allocation == other;
    }

    @Override
    long tieBreaker() {
        return tieBreaker(number(), AFTER_STEPS);
    }

    @Override
    int item() {
        return UnitId.NO_ITEM;
    }

    RunRow row() {
        return new RunRow(
                request,
                number(),
                limitNeeds,
                acceptedAt,
                startedAt,
                state,
                ending,
                overrides,
                lastGrantAt,
                startsInTick,
                detail);
    }

    @Override
    public String toString() {
        return "run " + id();
    }

    /** Returns the first steps and items that are neither blocked nor ended, in definition order. */
    List<StepRow> openSteps(int max) {
        List<StepRow> open = new ArrayList<>();
        for (RunStep step : steps) {
            step.addOpen(open, max);
        }
        for (RunStep step : compensationSteps()) {
            step.addOpen(open, max);
        }
        return open;
    }
}
