package dev.weir.core.definition;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The demands of a step on limits.
 *
 * @param slots the slots that the step takes of its run; absent = its module's, else 1; values below 1 mean 1
 * @param exclusive true if the step runs alone in its run; absent = its module's, else false
 * @param flowControl the step's keys; absent = the run's, empty = none
 * @param priority from -100 to 100, higher values go first; absent = the run's
 */
public record StepDemand(
        @Nullable Integer slots,
        @Nullable Boolean exclusive,
        @Nullable List<FlowControl> flowControl,
        @Nullable Integer priority) {
    public static final StepDemand NONE = new StepDemand(null, null, null, null);

    public StepDemand {
        if (slots != null) {
            FieldChecks.checkRange("slots", Math.max(1, slots), 1, DefinitionBounds.COUNT_MAX);
            slots = Math.max(1, slots);
        }
        if (flowControl != null) {
            flowControl = FlowControl.requireDistinctKeys(flowControl);
        }
        if (priority != null) {
            FieldChecks.checkRange("priority", priority, DefinitionBounds.PRIORITY_MIN, DefinitionBounds.PRIORITY_MAX);
        }
    }
}
