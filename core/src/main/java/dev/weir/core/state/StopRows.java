package dev.weir.core.state;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The rows that say what of an organisation must not start.
 *
 * @param suspension the suspension of the organisation; absent if it is not suspended
 * @param workflows the workflows that are not open, by name
 */
public record StopRows(@Nullable Suspension suspension, SortedMap<String, WorkflowAvailability> workflows) {
    public static final StopRows NONE = new StopRows(null, new TreeMap<>());

    public StopRows {
        workflows = Collections.unmodifiableSortedMap(new TreeMap<>(workflows));
    }

    /** Returns the rows after a change. */
    public StopRows after(Move.OfStops move) {
        return switch (move) {
            case Move.SuspensionChanged changed -> new StopRows(changed.suspension(), workflows);
            case Move.AvailabilityChanged changed -> {
                SortedMap<String, WorkflowAvailability> all = new TreeMap<>(workflows);
                if (changed.availability() == WorkflowAvailability.OPEN) {
                    all.remove(changed.workflow());
                } else {
                    all.put(changed.workflow(), changed.availability());
                }
                yield new StopRows(suspension, all);
            }
        };
    }
}
