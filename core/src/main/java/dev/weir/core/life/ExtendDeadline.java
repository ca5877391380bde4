package dev.weir.core.life;

/** Gives a run more time. */
public record ExtendDeadline(String run, long until) implements Command<ExtendDeadline.Answer> {
    /** What the operator is told. */
    public enum Answer {
        EXTENDED,
        /** The time is not later than the deadline that the run has. */
        NOT_LATER,
        /** The run has no deadline, or has not started. */
        NO_DEADLINE,
        /** The run is on its way to its end, which nothing stops. */
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
