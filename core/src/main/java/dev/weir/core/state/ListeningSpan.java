package dev.weir.core.state;

/**
 * A span of time in which workers were reachable without a break, as far as it was recorded.
 *
 * @param since the time at which it began, in microseconds
 * @param until the time of the last record that workers were still reachable
 */
public record ListeningSpan(long since, long until) {
    /** Returns the part of the span after the given time, in microseconds. */
    public long durationAfter(long time) {
        return Math.max(0, until - Math.max(since, time));
    }
}
