package dev.weir.core.command;

import dev.weir.core.expression.RenderFailed;
import dev.weir.core.state.RunRow;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Amends the input of a run before it has started, or while steps of it wait for missing input. A run that is still
 * queued is then limited by the {@code run_key} of its new input, and keeps its age.
 */
public record AmendInput(String run, JsonNode input) implements RunCommand<AmendInput.Answer>, AuditedRunCommand {
    /** The answer to the person. */
    public enum Answer {
        /** The run has this input now, or had it before. */
        AMENDED,
        /** The run has started, and no step of it lacks input. */
        NOT_WAITING,
        /** Items of a step are still being created from the current input. */
        MAKING_ITEMS,
        /** The {@code run_key} that limits the run cannot be rendered from this input. */
        NO_RUN_KEY,
        NOT_FOUND
    }

    @Override
    public JsonNode data() {
        return input;
    }

    @Override
    public Answer decide(RunControl runs, long now) {
        RunRow found = runs.findRun(run).orElse(null);
        if (found == null) {
            return Answer.NOT_FOUND;
        }
        boolean started = found.startedAt() != RunRow.NOT_STARTED;
        if (started && !runs.isMissingInput(run)) {
            return found.input().equals(input) ? Answer.AMENDED : Answer.NOT_WAITING;
        }
        if (runs.isCreatingItems(run)) {
            return found.input().equals(input) ? Answer.AMENDED : Answer.MAKING_ITEMS;
        }
        try {
            runs.amendInput(run, input, now);
        } catch (RenderFailed e) {
            return Answer.NO_RUN_KEY;
        }
        return Answer.AMENDED;
    }

    @Override
    public @Nullable JsonNode auditState(OrganisationControls org, long now) {
        return org.runs()
                .findRun(run)
                .<JsonNode>map(found -> JsonNodeFactory.instance.objectNode().set("input", found.input()))
                .orElse(null);
    }
}
