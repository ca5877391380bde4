package dev.weir.core.limit;

/**
 * The starts that count against the rates of one period and window. All rates with the same period and window share it.
 */
public sealed interface RateUsage permits SlidingWindowUsage, FixedWindowUsage {
    /** Returns the cost of the starts that count at {@code now}. */
    long used(long now);

    /**
     * Returns the earliest time, not before {@code now}, at which a start of this cost fits, if nothing else starts.
     * Callers must ensure {@code cost <= count}.
     */
    long fitsAt(int count, int cost, long now);

    /**
     * Returns the same time if another start, of cost {@code added}, happened now.
     *
     * @param opens true if that start opens a window when none is open
     */
    long fitsAfter(Rate rate, int cost, int added, boolean opens, long now);

    /**
     * True if starts that may count at that time have not been read, because the period is longer than all known ones.
     */
    default boolean lacksStarts(long now) {
        return false;
    }

    /** The time from which the oldest start that counts has counted; {@code now} if none does. */
    long windowStart(long now);

    /** Counts a start. Only if {@code mayOpen} is true can it open a window. Returns true if it did. */
    boolean record(long at, int cost, boolean mayOpen);

    void clear();

    /**
     * Returns the time at which the {@code nth} of equal starts can happen; the first is 1. Assumes that only this rate
     * holds them and that each starts as soon as it may.
     */
    default long nthFitsAt(Rate rate, int cost, long nth, long now) {
        int perWindow = Math.max(1, rate.count() / cost);
        long rounds = (nth - 1) / perWindow;
        int position = (int) ((nth - 1) % perWindow) + 1;
        long atOnce = Math.min((long) position * cost, rate.count());
        return Moment.plus(fitsAt(rate.count(), (int) atOnce, now), rounds * rate.period());
    }
}
