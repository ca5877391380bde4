package dev.weir.core.life;

/** Stops a run from starting anything more, until it is resumed; what runs goes on. */
public record PauseRun(String run) implements Command<PauseRun.Answer> {
    /** What the one who pauses is told. */
    public enum Answer {
        PAUSED,
        ALREADY_PAUSED,
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
        if (found.state == RunState.PAUSED) {
            return Answer.ALREADY_PAUSED;
        }
        if (found.ending != null) {
            return Answer.ENDING;
        }
        org.lives.pause(found, now);
        return Answer.PAUSED;
    }
}
