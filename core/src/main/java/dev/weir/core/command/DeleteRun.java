package dev.weir.core.command;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Orders the deletion of everything that is stored about an ended run. The store carries it out in parts. The caller
 * has checked that the run exists.
 *
 * @param id identifies the deletion
 */
public record DeleteRun(String id, String run) implements Command<DeleteRun.Answer>, AuditedCommand {
    /** The answer to the caller. */
    public enum Answer {
        ORDERED,
        /** The run has not ended. */
        LIVE
    }

    @Override
    public Answer decide(OrganisationControls org, long now) {
        if (org.runs().isLive(run)) {
            return Answer.LIVE;
        }
        org.stops().orderDeletion(id, run, now);
        return Answer.ORDERED;
    }

    @Override
    public @Nullable JsonNode data() {
        return null;
    }

    @Override
    public String describeTarget() {
        return "run " + run;
    }

    @Override
    public String auditTarget() {
        return "run:" + run;
    }

    @Override
    public JsonNode auditState(OrganisationControls org, long now) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("deletion_ordered", org.stops().hasOrderedDeletion(id));
    }
}
