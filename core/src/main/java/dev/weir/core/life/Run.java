package dev.weir.core.life;

import dev.weir.core.admission.Holding;
import dev.weir.core.admission.RunGate;
import dev.weir.core.admission.Subject;
import dev.weir.core.admission.Ticket;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A run that lives. */
final class Run extends Timer implements Subject {
    /** Bits of an order that are left for the number of a step. */
    private static final int STEP_BITS = 10;
    /** Comes after every step of the run. */
    private static final int AFTER_STEPS = (1 << STEP_BITS) - 1;

    final StartRun request;
    final long number;
    final Ask ask;
    final long acceptedAt;
    final RunStep[] steps;
    /** Where the run itself waits for its place, and holds it. */
    final RunGate entrance;

    RunState state = RunState.QUEUED;
    long startedAt = RunRow.NOT_STARTED;
    long lastGrantAt = RunRow.NOT_STARTED;
    int startsInTick;

    @Nullable
    Ticket ticket;

    @Nullable
    Holding held;

    @Nullable
    RunGate gate;

    @Nullable
    Ending ending;

    RunGate.@Nullable Overrides overrides;

    RunRow.Detail detail = RunRow.Detail.DEFAULT;

    /** Steps that have not ended. */
    int open;
    /** Steps that go on without anybody outside. */
    int lively;

    private @Nullable ObjectNode results;

    Run(StartRun request, long number, Ask ask, long acceptedAt, RunGate entrance) {
        this.request = request;
        this.number = number;
        this.ask = ask;
        this.acceptedAt = acceptedAt;
        this.entrance = entrance;
        List<PlannedStep> planned = request.plan().steps();
        this.steps = new RunStep[planned.size()];
        for (int i = 0; i < steps.length; i++) {
            steps[i] = new RunStep(this, planned.get(i));
        }
        this.open = steps.length;
    }

    String id() {
        return request.run();
    }

    /** The run's own level of admission, which is there once it has started. */
    RunGate gate() {
        if (gate == null) {
            throw new IllegalStateException("expected a run that has started, found run " + id() + " " + state);
        }
        return gate;
    }

    /** The step or item with that id, if the run has it. */
    @Nullable
    Unit find(UnitId id) {
        PlannedStep planned = request.plan().find(id.step());
        if (planned == null) {
            return null;
        }
        RunStep step = steps[planned.index];
        return id.item() == UnitId.NO_ITEM ? step : step.findItem(id.item());
    }

    /** Keeps count of the steps that are open and lively. */
    void count(RunStep step, StepState from, StepState to) {
        lively += (livelyIn(step, to) ? 1 : 0) - (step.countsAsLively ? 1 : 0);
        step.countsAsLively = livelyIn(step, to);
        if (to.ended() && !from.ended()) {
            open--;
            if (results != null) {
                results.set(step.planned.id(), step.result());
            }
        }
    }

    /** Counts a step that was brought back. */
    void countAgain(RunStep step) {
        step.countsAsLively = livelyIn(step, step.state);
        lively += step.countsAsLively ? 1 : 0;
        open -= step.state.ended() ? 1 : 0;
        for (PlannedStep need : step.planned.needs()) {
            step.openNeeds -= steps[need.index].state.ended() ? 1 : 0;
        }
    }

    private static boolean livelyIn(RunStep step, StepState state) {
        return switch (state) {
            case READY, REQUESTED, RUNNING, NEEDS_INPUT, BACKING_OFF -> true;
            case WAITING -> step.waitsFor != WaitsFor.GATE;
            case BLOCKED, COMPLETED, FAILED, CANCELLED, SKIPPED -> false;
        };
    }

    /** What expressions see of the steps that have ended; made when the first expression looks. */
    ObjectNode results() {
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

    static long tie(long number, int step) {
        return (number << STEP_BITS) | step;
    }

    @Override
    long tie() {
        return tie(number, AFTER_STEPS);
    }

    @Override
    int item() {
        return UnitId.NO_ITEM;
    }

    RunRow row() {
        return new RunRow(
                request,
                number,
                ask,
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
}
