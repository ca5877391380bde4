package dev.weir.core.command;

import dev.weir.core.state.StepRow;
import dev.weir.core.state.UnitId;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Puts a step or item that waits for its limits ahead of all others. The next worker of its module gets it as soon as
 * all of its limits admit it; no limit is exceeded. The mark stays with the unit, so that a retry goes ahead, too.
 */
public record RunStepNow(UnitId unit) implements StepCommand<RunStepNow.Answer> {
    /** The answer to the operator. */
    public enum Answer {
        /** The unit is ahead of the others now, or was put there before. */
        AHEAD,
        /** The unit is already in flight. */
        RUNNING,
        /** The step has items, of which one must be chosen. */
        HAS_ITEMS,
        /** The unit does not wait for its limits: it needs something else first. */
        NOT_READY,
        ENDED,
        NOT_FOUND
    }

    @Override
    public @Nullable JsonNode data() {
        return null;
    }

    @Override
    public Answer decide(StepControl steps, long now) {
        StepRow found = steps.findStep(unit).orElse(null);
        if (found == null) {
            return Answer.NOT_FOUND;
        }
        if (found.state().ended()) {
            return Answer.ENDED;
        }
        if (found.items() != StepRow.NOT_FANNED_OUT) {
            return Answer.HAS_ITEMS;
        }
        return switch (found.state()) {
            case RUNNING, NEEDS_INPUT -> Answer.RUNNING;
            case READY, REQUESTED -> putAhead(found, steps, now);
            case BLOCKED, BACKING_OFF, WAITING, COMPLETED, FAILED, CANCELLED, SKIPPED -> Answer.NOT_READY;
        };
    }

    private Answer putAhead(StepRow found, StepControl steps, long now) {
        if (!steps.isQueued(unit)) {
            return Answer.NOT_READY;
        }
        if (!found.detail().runNow()) {
            steps.runNow(unit, now);
        }
        return Answer.AHEAD;
    }
}
