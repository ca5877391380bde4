package dev.weir.core.life;

import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.core.state.Update;

/**
 * Gives up a step or item that needs input, or a compensation, by a person's decision. The unit fails for good and
 * returns its allocation.
 */
public record AbandonStep(UnitId unit, String by, String reason) implements Command<AbandonStep.Answer> {
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
    public Answer decide(Organisation org, long now) {
        Unit found = org.find(unit);
        if (found == null) {
            return Answer.NOT_FOUND;
        }
        boolean undoes = found.step().planned.undoes() && found.state != StepState.BLOCKED && !found.state.ended();
        if (found.state != StepState.NEEDS_INPUT && !undoes) {
            boolean before = found.state == StepState.FAILED && error().equals(found.last);
            return before ? Answer.ABANDONED : Answer.NOT_WAITING;
        }
        org.steps.abandon(found, error(), now);
        return Answer.ABANDONED;
    }
}
