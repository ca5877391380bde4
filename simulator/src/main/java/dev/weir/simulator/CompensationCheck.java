package dev.weir.simulator;

import static dev.weir.simulator.Violation.require;

import dev.weir.core.definition.Compensation;
import dev.weir.core.state.RunState;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Checks that a run compensates its completed steps in reverse order. Keeps the completed steps of each run for that.
 */
final class CompensationCheck {
    private final Map<String, NavigableMap<Integer, String>> completed = new HashMap<>();

    /** Records a completed step, or checks a compensation that has ended. */
    void checkMoved(StepRow row, TraceState.RunFacts run) {
        UnitId id = row.id();
        if (id.item() != UnitId.NO_ITEM || !row.state().ended()) {
            return;
        }
        if (id.step().endsWith(Compensation.SUFFIX)) {
            boolean attempted = row.state() == StepState.COMPLETED || row.state() == StepState.FAILED;
            require(attempted, "R0.11", "%s was not tried, but %s", id, row.state());
            requireNext(id);
            completedSteps(id).pollLastEntry();
        } else if (row.lastOutcome() instanceof Update.Completed
                && row.state() == StepState.COMPLETED
                && run.workflow.step(id.step()).resultRules().compensation() != null) {
            // A step that was carried over from an earlier run keeps its position; all others follow it.
            boolean carried = row.fence() == 0 && row.detail().completionOrder() != StepRow.Detail.NO_ORDER;
            int last = completedSteps(id).isEmpty() ? 0 : completedSteps(id).lastKey();
            completedSteps(id).put(carried ? row.detail().completionOrder() : last + 1, id.step());
        }
    }

    /** Checks a grant: a compensation starts only in a compensating run, and only for the newest completed step. */
    void checkGranted(UnitId id, TraceState.RunFacts run) {
        if (id.step().endsWith(Compensation.SUFFIX)) {
            require(run.state == RunState.COMPENSATING, "R0.11", "%s was granted in a run that is %s", id, run.state);
            requireNext(id);
        }
    }

    /** Checks at the end of a run that nothing is left to compensate, if the run was compensating. */
    void checkEnded(String run, boolean compensating) {
        NavigableMap<Integer, String> remaining = completed.remove(run);
        require(
                !compensating || remaining == null || remaining.isEmpty(),
                "R0.11",
                "%s has ended, and %s were not undone",
                run,
                remaining);
    }

    private void requireNext(UnitId id) {
        var newest = completedSteps(id).lastEntry();
        String last = newest == null ? null : newest.getValue();
        require(
                Compensation.compensatedStepId(id.step()).equals(last),
                "R0.11",
                "%s is undone, but %s comes first",
                id,
                last);
    }

    private NavigableMap<Integer, String> completedSteps(UnitId id) {
        return completed.computeIfAbsent(id.run(), ignored -> new TreeMap<>());
    }
}
