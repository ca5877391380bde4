package dev.weir.api;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Workflows that are registered. */
public final class Workflows {
    private Workflows() {}

    public record WorkflowView(String name, int version, String hash, JsonNode definition, Instant registeredAt) {}

    /** A workflow in a list. */
    public record WorkflowSummary(String name, int version, Instant registeredAt) {}

    public record WorkflowPage(
            List<WorkflowSummary> workflows, @Nullable String next) {}

    /**
     * What became of a definition.
     *
     * @param created whether it is a new version
     */
    public record Applied(String name, int version, boolean created) {}

    /** That a definition would be accepted. */
    public record Valid(String name, int steps) {}
}
