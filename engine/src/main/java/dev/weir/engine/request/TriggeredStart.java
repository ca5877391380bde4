package dev.weir.engine.request;

import dev.weir.core.definition.FlowControl;
import dev.weir.core.definition.TriggerCall;
import dev.weir.core.state.RunRequest;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A request to make one HTTP call without a definition. It becomes a run of {@value TriggerCall#WORKFLOW_NAME}.
 *
 * @param run id of the run; the same id with the same body returns the first run
 * @param priority priority of the run; absent = 0
 * @param correlationId id that the run shares with what led to it; absent = its own id
 * @param flowControl keys that limit the call; absent = none
 */
public record TriggeredStart(
        String run,
        TriggerCall call,
        @Nullable Integer priority,
        @Nullable List<FlowControl> flowControl,
        SortedMap<String, String> labels,
        RunRequest.Options options,
        @Nullable String correlationId) {
    /** Returns the start of the run. */
    public StartRequest toStartRequest() {
        return new StartRequest(
                run, TriggerCall.WORKFLOW_NAME, call.toInput(), priority, flowControl, labels, options, correlationId);
    }
}
