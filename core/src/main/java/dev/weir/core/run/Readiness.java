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
    private static final int LOOK = 10;

    private final LiveOrganisation org;
    /** Steps to look at. Rows need not store this: {@link #resume} finds these steps by their states. */
    private final ArrayDeque<RunStep> toConsider = new ArrayDeque<>();

    private boolean goingOn;

    /** The step that is being looked at, and its scope. Its condition, items and input share one evaluation budget. */
    private @Nullable RunStep inHand;

    private @Nullable Scope scope;

    Readiness(LiveOrganisation org) {
        this.org = org;
    }

    /** Looks at steps of all runs, until the budget is spent. */
    void goOn(long now) {
        if (goingOn) {
            // The outer call handles the steps that follow, so that a long chain does not recurse.
            return;
        }
        goingOn = true;
        while (!toConsider.isEmpty() && !org.budget.isSpent()) {
            RunStep step = toConsider.remove();
            step.run.toConsider--;
            if (!step.planned.undoes() && isToConsider(step)) {
                look(step, now);
            }
            if (step.run.toConsider == 0) {
                org.lives.settle(step.run, now);
            }
        }
        goingOn = false;
    }

    boolean unfinished() {
        return !toConsider.isEmpty();
    }

    /** Queues a step to be looked at, because all its needs have ended, or because it lacked something. */
    void add(RunStep step) {
        toConsider.add(step);
        step.run.toConsider++;
    }

    /** Queues the steps of a restored run that were still to be looked at. */
    void resume(Run run) {
        if (run.gate == null) {
            return;
        }
        for (RunStep step : run.steps) {
            // A failed step is looked at again only if its run has been resumed since.
            boolean stays = step.waitsFor == AwaitedEvent.OPERATOR && run.state == RunState.PAUSED;
            if (isToConsider(step) && !stays) {
                add(step);
            }
        }
        if (run.state == RunState.COMPENSATING) {
            // Any step will do: the run itself is settled after it.
            add(run.steps[0]);
        }
    }

    /** True if a queued step must still be looked at. Its run may have been stopped since. */
    private static boolean isToConsider(RunStep step) {
        if (step.state == StepState.BLOCKED) {
            return step.openNeeds == 0;
        }
        boolean neverAsked = step.ask == null && step.items == null;
        return step.waitsFor == AwaitedEvent.MISSING_INPUT
                || (step.waitsFor == AwaitedEvent.OPERATOR && neverAsked && step.run.ending == null);
    }

    /**
     * Checks the condition of a step, the data that it requires, and its gate; then opens it if nothing is in the way.
     */
    private void look(RunStep step, long now) {
        long before = org.budget.counter.units();
        org.budget.spend(LOOK);
        inHand = step;
        scope = null;
        String missing = org.remedies.missing(step);
        try {
            if (!StepExpressions.condition(step, () -> scope(step))) {
                org.steps.end(step, StepState.SKIPPED, now);
            } else if (missing != null) {
                org.remedies.await(step, AwaitedEvent.MISSING_INPUT, missing, now);
            } else if (waitsAtGate(step)) {
                org.steps.await(step, AwaitedEvent.GATE, Moment.NEVER, now);
            } else {
                org.steps.open(step, now);
            }
        } catch (RenderFailed e) {
            if (missing != null) {
                org.remedies.await(step, AwaitedEvent.MISSING_INPUT, missing, now);
            } else {
                org.steps.cannotStart(step, e, now);
            }
        }
        inHand = null;
        scope = null;
        org.budget.spentOn(step, before);
    }

    private static boolean waitsAtGate(RunStep step) {
        StepRow.Approval approval = step.detail.approval();
        return step.planned.definition().preconditions().gate() != null && (approval == null || !approval.approved());
    }

    Scope scope(Unit unit) {
        return switch (unit) {
            case Item item -> StepExpressions.of(item, org.budget.counter);
            case RunStep step -> scope(step);
        };
    }

    /** Returns the scope of a step, the same one as long as the step is being looked at. */
    Scope scope(RunStep step) {
        if (!step.equals(inHand)) {
            return StepExpressions.of(step, org.budget.counter);
        }
        Scope known = scope == null ? StepExpressions.of(step, org.budget.counter) : scope;
        scope = known;
        return known;
    }
}
