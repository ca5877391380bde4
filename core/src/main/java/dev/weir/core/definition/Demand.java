package dev.weir.core.definition;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a step asks of the limits.
 *
 * @param slots the slots that it takes of its run; absent = its module's, else 1; below 1 means 1
 * @param exclusive whether it runs alone in its run; absent = its module's, else no
 * @param flowControl its keys; absent = the run's, empty = none
 * @param priority from -100 to 100, the greater goes first; absent = the run's
 */
public record Demand(
        @Nullable Integer slots,
        @Nullable Boolean exclusive,
        @Nullable List<FlowControl> flowControl,
        @Nullable Integer priority) {
    public static final Demand NONE = new Demand(null, null, null, null);

    public Demand {
        if (slots != null) {
            Require.between("slots", Math.max(1, slots), 1, Bounds.COUNT_MAX);
            slots = Math.max(1, slots);
        }
        if (flowControl != null) {
            flowControl = FlowControl.distinct(flowControl);
        }
        if (priority != null) {
            Require.between("priority", priority, Bounds.PRIORITY_MIN, Bounds.PRIORITY_MAX);
        }
    }
}
