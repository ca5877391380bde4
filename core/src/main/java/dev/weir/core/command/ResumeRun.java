package dev.weir.core.command;

import dev.weir.core.state.RunRow;
import dev.weir.core.state.RunState;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Resumes a paused run. A failed step that paused the run gets another attempt. */
public record ResumeRun(String run) implements RunCommand<ResumeRun.Answer>, AuditedRunCommand {
    /** The answer to the operator. */
    public enum Answer {
        RESUMED,
        NOT_PAUSED,
        NOT_FOUND
    }

    @Override
    public @Nullable JsonNode data() {
        return null;
    }

    @Override
    public Answer decide(RunControl runs, long now) {
        RunRow found = runs.findRun(run).orElse(null);
        if (found == null) {
            return Answer.NOT_FOUND;
        }
        if (found.state() != RunState.PAUSED) {
            return Answer.NOT_PAUSED;
        }
        runs.resume(run, now);
        return Answer.RESUMED;
    }
}
