package dev.weir.engine.live;

import java.time.Duration;
import java.util.List;

/**
 * The last hour of a key in short.
 *
 * @param waiting the most steps that waited in each minute of the last hour, oldest first
 * @param started the number of recent starts
 * @param measured the time in which they happened; zero if the key was idle
 */
public record KeyTrend(List<Integer> waiting, int started, Duration measured) {
    public KeyTrend {
        waiting = List.copyOf(waiting);
    }

    /** True if no step has waited in the last hour. */
    public boolean isQuiet() {
        return waiting.stream().allMatch(count -> count == 0);
    }
}
