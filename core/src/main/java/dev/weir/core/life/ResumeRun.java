package dev.weir.core.life;

/** Lets a paused run go on. A step that had failed, and so paused the run, is tried again. */
public record ResumeRun(String run) implements Command<ResumeRun.Answer> {
    /** What the one who resumes is told. */
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
