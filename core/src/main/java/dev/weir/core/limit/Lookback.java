package dev.weir.core.limit;

/** The time for which the starts of a limit must be remembered: the longest period on that limit. */
public final class Lookback {
    /**
     * Minimum lookback, in microseconds: one minute. A rate with a period up to this is right at once when it is first
     * used on a limit that was loaded again. For a longer one, older starts are read first.
     */
    public static final long MIN_PERIOD_MICROS = 60_000_000;

    private Lookback() {}

    /**
     * Returns the time after which starts can still count; starts at or before it cannot. A bucket counts its starts at
     * the bucket's end, so the lookback is one bucket longer than the period.
     *
     * @param longestPeriod the longest period of a rate on the limit, in microseconds
     */
    public static long cutoff(long longestPeriod, long now) {
        long period = Math.max(longestPeriod, MIN_PERIOD_MICROS);
        return now - period - Math.ceilDiv(period, RateTracker.EXACT_STARTS);
    }
}
