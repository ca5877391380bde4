package dev.weir.engine.records;

import java.time.Instant;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * A version of a workflow that was registered.
 *
 * @param definition a missing node in lists
 */
public record WorkflowRecord(String name, int version, String hash, JsonNode definition, Instant registeredAt) {
    /** The same as it stands in a list. */
    public WorkflowRecord listed() {
        return new WorkflowRecord(name, version, hash, JsonNodeFactory.instance.missingNode(), registeredAt);
    }
}
