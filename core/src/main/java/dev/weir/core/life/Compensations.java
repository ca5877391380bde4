package dev.weir.core.life;

import dev.weir.core.definition.OnFailure;
import dev.weir.core.expression.RenderFailed;
import org.jspecify.annotations.Nullable;

/**
 * Undoes what a run has completed, the last first, one after the other, when a step has failed that asks for it. What
 * undoes a step is a step itself: it waits for its limits, is tried again, and may fail; the others are undone all the
 * same.
 */
final class Compensations {
    private final Organisation org;

    Compensations(Organisation org) {
        this.org = org;
    }

    /** Whether a run of which nothing is open has something to undo before it ends. */
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

    /** Undoes the next step, if none is being undone; tells whether anything is left to wait for. */
    boolean goOn(Run run, long now) {
        for (RunStep done = latest(run); done != null; done = latest(run)) {
            RunStep undoing = run.undoing(done.planned.compensation());
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

    /** The step that was completed last of those that are still to be undone. */
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
