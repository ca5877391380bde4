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
    static boolean due(Run run) {
        if (run.ending == null || latest(run) == null) {
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
    boolean goOn(Run run, long now) {
        for (RunStep done = latest(run); done != null; done = latest(run)) {
            RunStep undoing = run.undoing(done.planned.compensation());
            if (undoing.state == StepState.BLOCKED && org.budget.isSpent()) {
                org.readiness.add(undoing);
                return true;
            }
            if (undoing.state == StepState.BLOCKED) {
                open(undoing, now);
            }
            if (!undoing.state.ended()) {
                return true;
            }
        }
        return false;
    }

    private void open(RunStep undoing, long now) {
        undoing.since = now;
        try {
            org.steps.ask(undoing, now);
        } catch (RenderFailed e) {
            undoing.last = new Update.Failed(String.valueOf(e.getMessage()), true);
            org.steps.end(undoing, StepState.FAILED, now);
        }
    }

    /** Returns the step that completed last among those whose compensation has not ended. */
    private static @Nullable RunStep latest(Run run) {
        RunStep latest = null;
        for (RunStep step : run.steps) {
            int order = step.detail.order();
            boolean counts = order != StepRow.Detail.NO_ORDER && (latest == null || order > latest.detail.order());
            if (counts && !run.undoing(step.planned.compensation()).state.ended()) {
                latest = step;
            }
        }
        return latest;
    }
}
