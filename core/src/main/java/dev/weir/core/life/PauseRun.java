package dev.weir.core.life;

import dev.weir.core.state.RunState;

/** Stops new starts of a run until it is resumed. Running steps continue. */
public record PauseRun(String run) implements Command<PauseRun.Answer> {
    /** The answer to the operator. */
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
