package dev.weir.engine.records;

import java.time.Instant;
import tools.jackson.databind.JsonNode;

/** A version of a workflow that was registered. */
public record WorkflowRecord(String name, int version, String hash, JsonNode definition, Instant registeredAt) {}
