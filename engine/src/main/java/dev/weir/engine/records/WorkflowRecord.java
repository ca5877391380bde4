package dev.weir.engine.records;

import java.time.Instant;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * A registered version of a workflow.
 *
 * @param definition definition of the workflow; a missing node in lists
 */
public record WorkflowRecord(String name, int version, String hash, JsonNode definition, Instant registeredAt) {
    /** Returns the record as it appears in a list, without its definition. */
    public WorkflowRecord withoutDefinition() {
        return new WorkflowRecord(name, version, hash, JsonNodeFactory.instance.missingNode(), registeredAt);
    }
}
