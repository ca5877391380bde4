package dev.weir.core.forecast;

import dev.weir.core.forecast.Forecast.Phase;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How the units of one step fared, or the runs as a whole: how many, how long, and how many at once. */
public final class Tally {
    private final String id;
    private final Map<Phase, Series> series = new EnumMap<>(Phase.class);
    private final Map<Phase, Long> times = new EnumMap<>(Phase.class);
    long units;
    long starts;
    long completed;
    long failed;
    long skipped;
    long cancelled;
    long retries;
    long timeouts;
    long longestWait;
    private @Nullable String error;

    Tally(String id) {
        this.id = id;
        for (Phase phase : Phase.values()) {
            series.put(phase, new Series());
            times.put(phase, 0L);
        }
    }

    void enter(Phase phase, long now) {
        series(phase).add(now, 1);
    }

    void leave(Phase phase, long since, long now) {
        series(phase).add(now, -1);
        times.merge(phase, now - since, Long::sum);
        if (phase == Phase.WAITING) {
            longestWait = Math.max(longestWait, now - since);
        }
    }

    void failedWith(String reason) {
        error = error == null ? reason : error;
    }

    /** The id of the step; empty for runs. */
    public String id() {
        return id;
    }

    /** Steps or items that were looked at. */
    public long units() {
        return units;
    }

    /** Tries, first ones and later ones. */
    public long starts() {
        return starts;
    }

    public long completed() {
        return completed;
    }

    public long failed() {
        return failed;
    }

    public long skipped() {
        return skipped;
    }

    public long cancelled() {
        return cancelled;
    }

    public long retries() {
        return retries;
    }

    public long timeouts() {
        return timeouts;
    }

    /** The longest time between ready and started. */
    public long longestWait() {
        return longestWait;
    }

    /** The first error for which one failed for good. */
    public Optional<String> error() {
        return Optional.ofNullable(error);
    }

    /** The time that all of them together spent so. */
    public long time(Phase phase) {
        return times.getOrDefault(phase, 0L);
    }

    /** How many of them were at it, over time. */
    public Series series(Phase phase) {
        Series found = series.get(phase);
        if (found == null) {
            throw new IllegalStateException("expected a series for every phase, found none for " + phase);
        }
        return found;
    }
}
