package dev.weir.api;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Requests and responses about registered workflows. */
public final class Workflows {
    private Workflows() {}

    public record WorkflowView(String name, int version, String hash, JsonNode definition, Instant registeredAt) {}

    /**
     * A workflow in a list.
     *
     * @param availability open, paused or archived
     */
    public record WorkflowSummary(String name, int version, Instant registeredAt, String availability) {}

    public record WorkflowPage(
            List<WorkflowSummary> workflows, @Nullable String next) {}

    /**
     * The response to a registered definition.
     *
     * @param created true if it became a new version
     * @param findings the accepted fields that have no effect, or another effect than the author may expect
     */
    public record Applied(String name, int version, boolean created, List<Problem.Finding> findings) {}

    /**
     * The response to a definition that would be accepted.
     *
     * @param findings the accepted fields that have no effect, or another effect than the author may expect
     */
    public record Valid(String name, int steps, List<Problem.Finding> findings) {}
}
