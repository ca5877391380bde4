package dev.weir.core.life;

import dev.weir.core.state.AwaitedEvent;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;

/** Skips an optional step that has not started. Its dependents continue without it. */
public record SkipStep(String run, String step) implements Command<SkipStep.Answer> {
    /** The answer to the operator. */
    public enum Answer {
        /** The step is skipped, or is being skipped if it has very many items. */
        SKIPPED,
        NOT_OPTIONAL,
        /** The step is running, or some of its items have started. */
        STARTED,
        ALREADY_ENDED,
        NOT_FOUND
    }

    @Override
    public Answer decide(Organisation org, long now) {
        if (!(org.find(UnitId.of(run, step)) instanceof RunStep found)) {
            return Answer.NOT_FOUND;
        }
        if (!found.planned.definition().optional()) {
            return Answer.NOT_OPTIONAL;
        }
        if (found.state.ended()) {
            return found.state == StepState.SKIPPED ? Answer.SKIPPED : Answer.ALREADY_ENDED;
        }
        if (found.detail.skipping()) {
            return Answer.SKIPPED;
        }
        if (found.state == StepState.RUNNING
                || found.state == StepState.NEEDS_INPUT
                || found.waitsFor == AwaitedEvent.CHILD) {
            return Answer.STARTED;
        }
        org.steps.skip(found, now);
        return Answer.SKIPPED;
    }
}
