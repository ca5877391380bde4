package dev.weir.core.life;

/**
 * A person gives up a step or item that needs input, or one that undoes another: it has failed for good, and gives back
 * what it holds.
 */
public record AbandonStep(UnitId unit, String by, String reason) implements Command<AbandonStep.Answer> {
    /** What the person is told. */
    public enum Answer {
        /** It is given up, or was by the same words before. */
        ABANDONED,
        /** The step does not ask for input, and does not undo another. */
        NOT_WAITING,
        NOT_FOUND
    }

    /** How the last try of what is given up has ended. */
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
