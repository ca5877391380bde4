package dev.weir.core.command;

import dev.weir.core.state.RunRow;
import dev.weir.core.state.RunState;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Stops new starts of a run until it is resumed. Running steps continue. */
public record PauseRun(String run) implements RunCommand<PauseRun.Answer>, AuditedRunCommand {
    /** The answer to the operator. */
    public enum Answer {
        PAUSED,
        ALREADY_PAUSED,
        /** The run is on its way to its end, which nothing stops. */
        ENDING,
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
        if (found.state() == RunState.PAUSED) {
            return Answer.ALREADY_PAUSED;
        }
        if (found.ending() != null) {
            return Answer.ENDING;
        }
        runs.pause(run, now);
        return Answer.PAUSED;
    }
}
