package dev.weir.testkit.simulator;

import static dev.weir.testkit.simulator.Violation.unless;

import dev.weir.core.definition.Compensation;
import dev.weir.core.life.RunState;
import dev.weir.core.life.StepRow;
import dev.weir.core.life.StepState;
import dev.weir.core.life.UnitId;
import dev.weir.core.life.Update;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Knows what each run has completed, the last first, and sees that it is undone in that order. */
final class Undoing {
    private final Map<String, NavigableMap<Integer, String>> completed = new HashMap<>();

    /** A step came into another state. */
    void moved(StepRow row, Tally.RunFacts run) {
        UnitId id = row.id();
        if (id.item() != UnitId.NO_ITEM || !row.state().ended()) {
            return;
        }
        if (id.step().endsWith(Compensation.SUFFIX)) {
            boolean tried = row.state() == StepState.COMPLETED || row.state() == StepState.FAILED;
            unless(tried, "R0.11", "%s was not tried, but %s", id, row.state());
            isNext(id);
            of(id).pollLastEntry();
        } else if (row.last() instanceof Update.Completed
                && row.state() == StepState.COMPLETED
                && run.workflow.step(id.step()).ending().compensation() != null) {
            // What an earlier run has done keeps its place; all else comes after it.
            boolean carried = row.fence() == 0 && row.detail().order() != StepRow.Detail.NO_ORDER;
            int last = of(id).isEmpty() ? 0 : of(id).lastKey();
            of(id).put(carried ? row.detail().order() : last + 1, id.step());
        }
    }

    /** A step was granted. */
    void granted(UnitId id, Tally.RunFacts run) {
        if (id.step().endsWith(Compensation.SUFFIX)) {
            unless(run.state == RunState.COMPENSATING, "R0.11", "%s was granted in a run that is %s", id, run.state);
            isNext(id);
        }
    }

    /** A run has ended. */
    void ended(String run, boolean undone) {
        NavigableMap<Integer, String> left = completed.remove(run);
        unless(!undone || left == null || left.isEmpty(), "R0.11", "%s has ended, and %s were not undone", run, left);
    }

    private void isNext(UnitId id) {
        var newest = of(id).lastEntry();
        String last = newest == null ? null : newest.getValue();
        unless(Compensation.undone(id.step()).equals(last), "R0.11", "%s is undone, but %s comes first", id, last);
    }

    private NavigableMap<Integer, String> of(UnitId id) {
        return completed.computeIfAbsent(id.run(), ignored -> new TreeMap<>());
    }
}
