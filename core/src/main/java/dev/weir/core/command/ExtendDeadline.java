package dev.weir.core.command;

import dev.weir.core.limit.Moment;
import dev.weir.core.state.RunRow;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Gives a run more time. */
public record ExtendDeadline(String run, long until) implements RunCommand<ExtendDeadline.Answer>, AuditedRunCommand {
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
    public @Nullable JsonNode data() {
        return null;
    }

    @Override
    public Answer decide(RunControl runs, long now) {
        RunRow found = runs.findRun(run).orElse(null);
        if (found == null) {
            return Answer.NOT_FOUND;
        }
        if (found.ending() != null) {
            return Answer.ENDING;
        }
        long deadline = found.detail().deadlineAt();
        if (deadline == Moment.NEVER) {
            return Answer.NO_DEADLINE;
        }
        if (until <= deadline || until <= now) {
            return Answer.NOT_LATER;
        }
        runs.setDeadline(run, until, now);
        return Answer.EXTENDED;
    }

    @Override
    public @Nullable JsonNode auditState(OrganisationControls org, long now) {
        return org.runs()
                .findRun(run)
                .map(found -> JsonNodeFactory.instance
                        .objectNode()
                        .put("deadline", AuditValues.time(found.detail().deadlineAt())))
                .orElse(null);
    }
}
