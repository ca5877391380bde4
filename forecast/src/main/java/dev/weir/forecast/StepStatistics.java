package dev.weir.forecast;

import dev.weir.forecast.Forecast.Phase;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Statistics of the units of one step, or of all runs: counts, durations, and how many there were at once. */
public final class StepStatistics {
    private final String id;
    private final Map<Phase, TimeSeries> series = new EnumMap<>(Phase.class);
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

    StepStatistics(String id) {
        this.id = id;
        for (Phase phase : Phase.values()) {
            series.put(phase, new TimeSeries());
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

    void recordError(String reason) {
        error = error == null ? reason : error;
    }

    /** The id of the step; empty for runs. */
    public String id() {
        return id;
    }

    /** The number of steps, items or runs that were counted. */
    public long units() {
        return units;
    }

    /** The number of attempts, including retries. */
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

    /** The first error that made a unit fail for good. */
    public Optional<String> error() {
        return Optional.ofNullable(error);
    }

    /** The total time that the units spent in a phase. */
    public long time(Phase phase) {
        return times.getOrDefault(phase, 0L);
    }

    /** The number of units in a phase, over time. */
    public TimeSeries series(Phase phase) {
        TimeSeries found = series.get(phase);
        if (found == null) {
            throw new IllegalStateException("expected a series for every phase, found none for " + phase);
        }
        return found;
    }
}
