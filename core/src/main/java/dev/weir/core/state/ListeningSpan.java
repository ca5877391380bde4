package dev.weir.core.state;

/**
 * A span of time in which workers could be heard without a break, as far as it was noted.
 *
 * @param since the time at which it began, in microseconds
 * @param until the time of the last note that workers could still be heard
 */
public record ListeningSpan(long since, long until) {
    /** Returns the part of the span after the given time, in microseconds. */
    public long durationAfter(long time) {
        return Math.max(0, until - Math.max(since, time));
    }
}
