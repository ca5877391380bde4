package dev.weir.core.command;

import dev.weir.core.state.StepRow;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Gives up a step or item that needs input, or a compensation, by a person's decision. The unit fails for good and
 * returns its allocation.
 */
public record AbandonStep(UnitId unit, String by, String reason) implements StepCommand<AbandonStep.Answer> {
    /** The answer to the person. */
    public enum Answer {
        /** The unit is given up now, or was before by the same person with the same reason. */
        ABANDONED,
        /** The step does not need input and is not a compensation. */
        NOT_WAITING,
        NOT_FOUND
    }

    /** Returns the error with which the last attempt of the abandoned unit ends. */
    public Update.Failed error() {
        return new Update.Failed("abandoned by " + by + ": " + reason, true);
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
        StepState state = found.state();
        boolean isOpenCompensation = steps.isCompensation(unit) && state != StepState.BLOCKED && !state.ended();
        if (state != StepState.NEEDS_INPUT && !isOpenCompensation) {
            boolean isRepeat = state == StepState.FAILED && error().equals(found.lastOutcome());
            return isRepeat ? Answer.ABANDONED : Answer.NOT_WAITING;
        }
        steps.abandon(unit, error(), now);
        return Answer.ABANDONED;
    }
}
