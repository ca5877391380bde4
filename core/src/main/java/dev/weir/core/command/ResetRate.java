package dev.weir.core.command;

import dev.weir.core.limit.LimitId;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Forgets the starts that were counted against the rates of a shared limit. */
public record ResetRate(LimitId.Shared limit) implements KeyCommand<ResetRate.Answer> {
    /** The answer to the operator. */
    public enum Answer {
        RESET
    }

    @Override
    public Answer decide(KeyControl keys, long now) {
        keys.resetRate(limit, now);
        return Answer.RESET;
    }

    @Override
    public JsonNode auditState(OrganisationControls org, long now) {
        return JsonNodeFactory.instance.objectNode().put("rate_used", org.keys().countStarts(limit, now));
    }
}
