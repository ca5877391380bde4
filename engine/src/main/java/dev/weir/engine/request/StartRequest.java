package dev.weir.engine.request;

import dev.weir.core.definition.FlowControl;
import dev.weir.core.json.CanonicalJson;
import dev.weir.core.state.RunRequest;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A request to start a run of the newest version of a workflow.
 *
 * @param run id of the run; the same id with the same body returns the first run
 * @param priority priority of the run; absent = the workflow's
 * @param options delay and targets
 * @param correlationId id that the run shares with what led to it; absent = its own id
 * @param flowControl keys that its steps inherit instead of the workflow's; absent = the workflow's
 */
public record StartRequest(
        String run,
        String workflow,
        JsonNode input,
        @Nullable Integer priority,
        @Nullable List<FlowControl> flowControl,
        SortedMap<String, String> labels,
        RunRequest.Options options,
        @Nullable String correlationId) {
    /**
     * Copies the input in canonical form, so that it cannot change, and equal requests stay equal whatever types their
     * numbers had.
     */
    public StartRequest {
        input = CanonicalJson.of(input);
        flowControl = flowControl == null ? null : List.copyOf(flowControl);
    }

    public StartRequest(
            String run,
            String workflow,
            JsonNode input,
            @Nullable Integer priority,
            @Nullable List<FlowControl> flowControl,
            SortedMap<String, String> labels) {
        this(run, workflow, input, priority, flowControl, labels, RunRequest.Options.DEFAULT);
    }

    public StartRequest(
            String run,
            String workflow,
            JsonNode input,
            @Nullable Integer priority,
            @Nullable List<FlowControl> flowControl,
            SortedMap<String, String> labels,
            RunRequest.Options options) {
        this(run, workflow, input, priority, flowControl, labels, options, null);
    }

    public static StartRequest of(String run, String workflow, JsonNode input) {
        return new StartRequest(run, workflow, input, null, null, new TreeMap<>(Map.of()));
    }
}
