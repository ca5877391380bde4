package dev.weir.core.run;

import dev.weir.core.definition.OnFailure;
import dev.weir.core.expression.RenderFailed;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.StepState;
import dev.weir.core.state.Update;
import org.jspecify.annotations.Nullable;

/**
 * Compensates the completed steps of a run, the last first and one at a time, after the failure of a step that asks for
 * it. A compensation is a step itself: it waits for its limits, is retried, and may fail. Its failure does not stop the
 * other compensations.
 */
final class Compensations {
    private final LiveOrganisation org;

    Compensations(LiveOrganisation org) {
        this.org = org;
    }

    /** True if a run without open steps has compensations to run before it ends. */
    static boolean isDue(Run run) {
        if (run.ending == null || latestUncompensated(run) == null) {
            return false;
        }
        for (RunStep step : run.steps) {
            if (step.state == StepState.FAILED && step.planned.onFailure() == OnFailure.COMPENSATE) {
                return true;
            }
        }
        return false;
    }

    /**
     * Starts the next compensation unless one is running. Returns true if there is still a compensation to wait for.
     */
    boolean advance(Run run, long now) {
        for (RunStep completed = latestUncompensated(run); completed != null; completed = latestUncompensated(run)) {
            RunStep compensation = run.compensationStep(completed.planned.compensation());
            if (compensation.state == StepState.BLOCKED && mustWait(compensation)) {
                org.readiness.add(compensation);
                return true;
            }
            if (compensation.state == StepState.BLOCKED) {
                start(compensation, now);
            }
            if (!compensation.state.ended()) {
                return true;
            }
        }
        return false;
    }

    /** True if the budget of the decision does not allow another step. */
    private boolean mustWait(RunStep compensation) {
        return org.budget.isSpent() || !StepExpressions.compile(compensation, org.budget);
    }

    private void start(RunStep compensation, long now) {
        compensation.since = now;
        try {
            org.steps.enqueue(compensation, now);
        } catch (RenderFailed e) {
            compensation.lastOutcome = new Update.Failed(String.valueOf(e.getMessage()), true);
            org.steps.end(compensation, StepState.FAILED, now);
        }
    }

    /** Returns the step that completed last among those whose compensation has not ended. */
    private static @Nullable RunStep latestUncompensated(Run run) {
        RunStep latest = null;
        for (RunStep step : run.steps) {
            int order = step.detail.completionOrder();
            boolean isLater =
                    order != StepRow.Detail.NO_ORDER && (latest == null || order > latest.detail.completionOrder());
            if (isLater
                    && !run.compensationStep(step.planned.compensation()).state.ended()) {
                latest = step;
            }
        }
        return latest;
    }
}
