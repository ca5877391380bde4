package dev.weir.core.run;

import dev.weir.core.expression.RenderFailed;
import dev.weir.core.expression.Scope;
import dev.weir.core.limit.Moment;
import dev.weir.core.state.AwaitedEvent;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.StepState;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Decides what becomes of steps whose needs have all ended: they run, are skipped, lack something or wait at a gate.
 * When the budget of a decision is spent, the remaining steps wait for the next decision.
 */
final class Readiness {
    /** The cost of looking at a step, in budget units, without what it renders. */
    private static final int CHECK_COST = 10;

    private final LiveOrganisation org;
    /** Steps to look at. Rows need not store this: {@link #restore} finds these steps by their states. */
    private final ArrayDeque<RunStep> stepsToCheck = new ArrayDeque<>();

    private boolean isAdvancing;

    /** The step that is being looked at, and its scope. Its condition, items and input share one evaluation budget. */
    private @Nullable RunStep currentStep;

    private @Nullable Scope scope;

    Readiness(LiveOrganisation org) {
        this.org = org;
    }

    /** Looks at steps of all runs, until the budget is spent. */
    void advance(long now) {
        if (isAdvancing) {
            // The outer call handles the steps that follow, so that a long chain does not recurse.
            return;
        }
        isAdvancing = true;
        while (!stepsToCheck.isEmpty() && !org.budget.isSpent()) {
            RunStep step = stepsToCheck.element();
            boolean mustCheck = !step.planned.isCompensation() && isCheckPending(step);
            if (mustCheck && !StepExpressions.compile(step, org.budget)) {
                // The budget is spent, and the next decision compiles the rest.
                break;
            }
            stepsToCheck.remove();
            step.run.stepsToCheck--;
            if (mustCheck) {
                check(step, now);
            }
            if (step.run.stepsToCheck == 0) {
                org.runLifecycle.updateState(step.run, now);
            }
        }
        isAdvancing = false;
    }

    boolean hasPendingWork() {
        return !stepsToCheck.isEmpty();
    }

    /** Queues a step to be looked at, because all its needs have ended, or because it lacked something. */
    void add(RunStep step) {
        stepsToCheck.add(step);
        step.run.stepsToCheck++;
    }

    /** Queues the steps of a restored run that were still to be looked at. */
    void restore(Run run) {
        if (run.limiter == null) {
            return;
        }
        for (RunStep step : run.steps) {
            // A failed step is looked at again only if its run has been resumed since.
            boolean staysFailed = step.waitsFor == AwaitedEvent.OPERATOR && run.state == RunState.PAUSED;
            if (isCheckPending(step) && !staysFailed) {
                add(step);
            }
        }
        if (run.state == RunState.COMPENSATING) {
            // Any step will do: the run itself is settled after it.
            add(run.steps[0]);
        }
    }

    /** True if a queued step must still be looked at. Its run may have been stopped since. */
    private static boolean isCheckPending(RunStep step) {
        if (step.state == StepState.BLOCKED) {
            return step.openNeeds == 0;
        }
        boolean neverQueued = step.limitNeeds == null && step.items == null;
        return step.waitsFor == AwaitedEvent.MISSING_INPUT
                || (step.waitsFor == AwaitedEvent.GATE && !waitsAtGate(step))
                || (step.waitsFor == AwaitedEvent.OPERATOR && neverQueued && step.run.ending == null);
    }

    /**
     * Checks the condition of a step, the data that it requires, and its gate; then opens it if nothing is in the way.
     */
    private void check(RunStep step, long now) {
        long before = org.budget.counter.units();
        org.budget.spend(CHECK_COST);
        currentStep = step;
        scope = null;
        String missing = org.missingData.describeMissing(step);
        try {
            if (!StepExpressions.testCondition(step, () -> scope(step))) {
                org.steps.end(step, StepState.SKIPPED, now);
            } else if (missing != null) {
                org.missingData.await(step, AwaitedEvent.MISSING_INPUT, missing, now);
            } else if (waitsAtGate(step)) {
                org.steps.await(step, AwaitedEvent.GATE, Moment.NEVER, now);
            } else {
                org.steps.performAction(step, now);
            }
        } catch (RenderFailed e) {
            if (missing != null) {
                org.missingData.await(step, AwaitedEvent.MISSING_INPUT, missing, now);
            } else {
                org.steps.failBeforeStart(step, e, now);
            }
        }
        currentStep = null;
        scope = null;
        org.budget.recordCost(step, before);
    }

    private static boolean waitsAtGate(RunStep step) {
        StepRow.Approval approval = step.detail.approval();
        return step.planned.definition().preconditions().gate() != null && (approval == null || !approval.approved());
    }

    Scope scope(Unit unit) {
        return switch (unit) {
            case Item item -> StepExpressions.scopeOf(item, org.budget.counter);
            case RunStep step -> scope(step);
        };
    }

    /** Returns the scope of a step, the same one as long as the step is being looked at. */
    Scope scope(RunStep step) {
        if (!step.equals(currentStep)) {
            return StepExpressions.scopeOf(step, org.budget.counter);
        }
        Scope known = scope == null ? StepExpressions.scopeOf(step, org.budget.counter) : scope;
        scope = known;
        return known;
    }
}
