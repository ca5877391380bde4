package dev.weir.core.life;

/**
 * A person gives up a step or item that needs input, or one that undoes another: it has failed for good, and gives back
 * what it holds.
 */
public record AbandonStep(UnitId unit, String by, String reason) implements Command<AbandonStep.Answer> {
    /** What the person is told. */
    public enum Answer {
        ABANDONED,
        /** The step does not ask for input, and does not undo another. */
        NOT_WAITING,
        NOT_FOUND
    }

    @Override
    public Answer decide(Organisation org, long now) {
        Unit found = org.find(unit);
        if (found == null) {
            return Answer.NOT_FOUND;
        }
        boolean undoes = found.step().planned.undoes() && found.state != StepState.BLOCKED && !found.state.ended();
        if (found.state != StepState.NEEDS_INPUT && !undoes) {
            return Answer.NOT_WAITING;
        }
        org.steps.abandon(found, "abandoned by " + by + ": " + reason, now);
        return Answer.ABANDONED;
    }
}
