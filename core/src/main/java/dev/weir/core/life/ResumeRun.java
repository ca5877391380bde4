package dev.weir.core.life;

import dev.weir.core.state.RunState;

/** Resumes a paused run. A failed step that paused the run gets another attempt. */
public record ResumeRun(String run) implements Command<ResumeRun.Answer> {
    /** The answer to the operator. */
    public enum Answer {
        RESUMED,
        NOT_PAUSED,
        NOT_FOUND
    }

    @Override
    public Answer decide(Organisation org, long now) {
        Run found = org.runs.get(run);
        if (found == null) {
            return Answer.NOT_FOUND;
        }
        if (found.state != RunState.PAUSED) {
            return Answer.NOT_PAUSED;
        }
        org.lives.resume(found, now);
        return Answer.RESUMED;
    }
}
