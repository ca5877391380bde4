package dev.weir.core.state;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Pin;
import dev.weir.core.limit.RunLimitConfig;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The rows of what operators set for shared limits, and of the holds that called services asked for.
 *
 * @param pins the pinned values of keys and modules
 * @param runLimits values for the limits on runs, by the limit that all runs of a workflow share
 * @param pauses the end of each pause
 * @param holds the keys that are held because a called service asked for it
 */
public record OperatorRows(
        SortedMap<LimitId.Shared, Pin> pins,
        SortedMap<LimitId.Shared, RunLimitConfig> runLimits,
        SortedMap<LimitId.Shared, Long> pauses,
        SortedMap<LimitId.Shared, RetryAfterHold> holds) {
    public static final OperatorRows NONE =
            new OperatorRows(new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>());

    public OperatorRows {
        pins = Collections.unmodifiableSortedMap(new TreeMap<>(pins));
        runLimits = Collections.unmodifiableSortedMap(new TreeMap<>(runLimits));
        pauses = Collections.unmodifiableSortedMap(new TreeMap<>(pauses));
        holds = Collections.unmodifiableSortedMap(new TreeMap<>(holds));
    }

    /** All values that replace those of tickets: the pins, and the configured limits on runs as pins. */
    public SortedMap<LimitId.Shared, Pin> allPins() {
        SortedMap<LimitId.Shared, Pin> all = new TreeMap<>(pins);
        runLimits.forEach((limit, config) -> {
            Pin pin = config.toPin();
            if (pin != null) {
                all.put(limit, pin);
            }
        });
        return all;
    }
}
