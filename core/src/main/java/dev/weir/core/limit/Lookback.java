package dev.weir.core.limit;

/** How long the starts of a limit have to be remembered: as long as the longest period that anybody has on it. */
public final class Lookback {
    /**
     * The shortest time, in microseconds: one minute. So what is asked for the first time of a limit that was read again
     * finds the last minute, however short the periods were before.
     */
    public static final long LEAST = 60_000_000;

    private Lookback() {}

    /**
     * The time after which starts can still count; at that time and before they cannot. In buckets a start counts as if
     * it came at the end of its bucket, so the time is longer by one.
     *
     * @param longest the longest period of a rate on the limit, in microseconds
     */
    public static long after(long longest, long now) {
        long period = Math.max(longest, LEAST);
        return now - period - Math.ceilDiv(period, RateBook.REMEMBERED_STARTS);
    }
}
