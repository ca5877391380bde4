package dev.weir.core.life;

import dev.weir.core.admission.Holding;
import dev.weir.core.admission.RunGate;
import dev.weir.core.admission.Subject;
import dev.weir.core.admission.Ticket;
import dev.weir.core.definition.Schema;
import dev.weir.core.limit.Moment;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A run that lives. */
final class Run extends Timer implements Subject {
    /** Bits of an order that are left for the number of a step. */
    private static final int STEP_BITS = 11;
    /** Comes after every step of the run. */
    private static final int AFTER_STEPS = (1 << STEP_BITS) - 1;

    /** What there is to see as long as no step has ended. Nobody changes it. */
    private static final ObjectNode NO_RESULTS = JsonNodeFactory.instance.objectNode();

    final StartRun request;
    final RunRef ref;
    Ask ask;
    final long acceptedAt;
    final RunStep[] steps;
    /** Where the run itself waits for its place, until it has started. */
    @Nullable
    RunGate entrance;

    /** Its neighbours among the {@link Runs} that live. */
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
    Holding held;

    @Nullable
    RunGate gate;

    @Nullable
    Ending ending;

    RunGate.@Nullable Overrides overrides;

    RunRow.Detail detail = RunRow.Detail.DEFAULT;

    /** Signals that no step has waited for yet, by number. */
    NavigableMap<Long, Signal> signals = Collections.emptyNavigableMap();
    /** How many steps that can be undone have completed. */
    int completed;
    /** What undoes its steps, made when it is first looked at. */
    private RunStep @Nullable [] undoing;
    /** Whether it is known what the input lacks, and what that is. */
    private boolean inputJudged;

    private @Nullable String inputMisfit;

    /** Runs that its steps have invoked and that live, oldest first. */
    private Set<Run> children = Set.of();

    /** Steps that have not ended. */
    int open;
    /** Steps that go on without anybody outside. */
    int lively;

    private @Nullable ObjectNode results;

    Run(StartRun request, RunRef ref, Ask ask, long acceptedAt) {
        this.request = request;
        this.ref = ref;
        this.ask = ask;
        this.acceptedAt = acceptedAt;
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

    long number() {
        return ref.number();
    }

    /** Where it can be paused: where it comes in, or its own level of admission. */
    RunGate gateOrEntrance() {
        return entrance == null ? gate() : entrance;
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
        RunStep step = step(planned);
        return id.item() == UnitId.NO_ITEM ? step : step.findItem(id.item());
    }

    RunStep step(PlannedStep planned) {
        return planned.undoes() ? undoing(planned) : steps[planned.index];
    }

    /** What undoes a step. */
    RunStep undoing(PlannedStep planned) {
        if (undoing == null) {
            List<PlannedStep> all = request.plan().compensations();
            undoing = new RunStep[all.size()];
            for (int i = 0; i < undoing.length; i++) {
                undoing[i] = new RunStep(this, all.get(i));
            }
        }
        return undoing[planned.index - steps.length];
    }

    List<RunStep> undoings() {
        return undoing == null ? List.of() : List.of(undoing);
    }

    JsonNode input() {
        return detail.input() == null ? request.input() : detail.input();
    }

    void amend(JsonNode mended) {
        detail = detail.amended(mended);
        inputJudged = false;
    }

    /** Why the input does not fit what the workflow says of it, in words; absent = it fits. */
    @Nullable
    String inputMisfit() {
        if (!inputJudged) {
            Schema schema = request.plan().workflow().about().inputSchema();
            inputMisfit = schema == null ? null : Remedies.words(schema, input());
            inputJudged = true;
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

    /** The run that its place is lent to. */
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

    /** Whether a step of it waits for that. */
    boolean waitsFor(WaitsFor reason) {
        for (RunStep step : steps) {
            if (step.waitsFor == reason) {
                return true;
            }
        }
        return false;
    }

    /** Whether a step of it has items that are still to be made, from what the run has and has done by now. */
    boolean makesItems() {
        for (RunStep step : steps) {
            if (step.items != null && step.items.making() && !step.state.ended()) {
                return true;
            }
        }
        return false;
    }

    /** Keeps count of the steps that are open and lively. */
    void count(RunStep step, StepState from, StepState to) {
        if (step.planned.undoes()) {
            return;
        }
        lively += (livelyIn(step, to) ? 1 : 0) - (step.countsAsLively ? 1 : 0);
        step.countsAsLively = livelyIn(step, to);
        if (to.ended() && !from.ended()) {
            open--;
            resultChanged(step);
        }
    }

    void resultChanged(RunStep step) {
        if (results != null) {
            results.set(step.planned.id(), step.result());
        }
    }

    /** Counts a step that was brought back. */
    void countAgain(RunStep step) {
        step.countsAsLively = livelyIn(step, step.state);
        lively += step.countsAsLively ? 1 : 0;
        open -= step.state.ended() ? 1 : 0;
        completed = Math.max(completed, step.detail.order());
        for (PlannedStep need : step.planned.needs()) {
            step.openNeeds -= steps[need.index].state.ended() ? 1 : 0;
        }
    }

    private static boolean livelyIn(RunStep step, StepState state) {
        return switch (state) {
            case READY, REQUESTED, RUNNING, NEEDS_INPUT, BACKING_OFF -> true;
            case WAITING -> step.waitsFor != null && step.waitsFor.comesByItself();
            case BLOCKED, COMPLETED, FAILED, CANCELLED, SKIPPED -> false;
        };
    }

    /** What expressions see of the steps that have ended; made when the first expression looks. */
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

    /** By the states: while a run is brought back, its steps are not counted yet. */
    private boolean anyEnded() {
        for (RunStep step : steps) {
            if (step.state.ended()) {
                return true;
            }
        }
        return false;
    }

    static long tie(long number, int step) {
        return (number << STEP_BITS) | step;
    }

    @Override
    long tie() {
        return tie(number(), AFTER_STEPS);
    }

    @Override
    int item() {
        return UnitId.NO_ITEM;
    }

    RunRow row() {
        return new RunRow(
                request,
                number(),
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
