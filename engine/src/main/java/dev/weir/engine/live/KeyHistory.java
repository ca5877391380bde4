package dev.weir.engine.live;

import java.time.Duration;
import java.util.List;

/**
 * The use of a key in the last hour.
 *
 * @param interval the time that one sample covers
 * @param samples the samples, oldest first; the first one is not idle
 */
public record KeyHistory(String key, Duration interval, List<KeySample> samples) {
    /** The time that one sample covers. */
    public static final Duration INTERVAL = Duration.ofSeconds(10);

    /**
     * One sample.
     *
     * @param at its beginning, in microseconds
     * @param waiting the number of steps that the key refused at its end
     * @param used the capacity in use at its end
     * @param started the number of starts within it
     */
    public record KeySample(long at, int waiting, int used, int started) {}

    public KeyHistory {
        samples = List.copyOf(samples);
    }
}
