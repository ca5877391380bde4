package dev.weir.core.run;

import dev.weir.core.state.AwaitedEvent;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.StepState;

/** One item of a fanned-out step. */
final class Item extends Unit {
    private final RunStep step;
    private final int index;

    Item(RunStep step, int index) {
        super(StepState.REQUESTED);
        this.step = step;
        this.index = index;
    }

    @Override
    RunStep step() {
        return step;
    }

    @Override
    int item() {
        return index;
    }

    @Override
    StepState queuedState() {
        return StepState.REQUESTED;
    }

    @Override
    StepRow row() {
        return new StepRow(
                id(),
                state,
                fence,
                step.since,
                due,
                attempts,
                expiries,
                reschedules,
                effect,
                StepRow.NOT_FANNED_OUT,
                state == StepState.WAITING ? AwaitedEvent.CHILD : null,
                limitNeeds,
                input,
                lastOutcome,
                reported,
                reportFingerprint,
                detail);
    }
}
