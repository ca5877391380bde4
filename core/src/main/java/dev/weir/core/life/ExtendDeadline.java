package dev.weir.core.life;

import dev.weir.core.state.Move;

/** Gives a run more time. */
public record ExtendDeadline(String run, long until) implements Command<ExtendDeadline.Answer> {
    /** The answer to the operator. */
    public enum Answer {
        EXTENDED,
        /** The new time is not later than the run's current deadline. */
        NOT_LATER,
        /** The run has no deadline, or has not started. */
        NO_DEADLINE,
        /** The run is ending, and nothing stops that. */
        ENDING,
        NOT_FOUND
    }

    @Override
    public Answer decide(Organisation org, long now) {
        Run found = org.runs.get(run);
        if (found == null) {
            return Answer.NOT_FOUND;
        }
        if (found.ending != null) {
            return Answer.ENDING;
        }
        if (!found.hasDeadline()) {
            return Answer.NO_DEADLINE;
        }
        if (until <= found.detail.deadlineAt() || until <= now) {
            return Answer.NOT_LATER;
        }
        found.detail = found.detail.deadline(until);
        org.moves.add(new Move.RunChanged(found.ref, found.ask, found.detail, now));
        org.lives.scheduleDeadline(found);
        return Answer.EXTENDED;
    }
}
