package dev.weir.core.limit;

/** What has started against rates of one period and window; whoever has such a rate asks here. */
public sealed interface RateUsage permits SlidingUsage, FixedUsage {
    /** How much counts against a rate at {@code now}. */
    long used(long now);

    /**
     * The earliest time, not before {@code now}, at which a start of this cost fits, if nothing else starts. Asked only
     * with {@code cost <= count}.
     */
    long fitsAt(int count, int cost, long now);

    /** When the oldest start that counts began to count; {@code now} if none does. */
    long windowStart(long now);

    /** Counts a start; {@code mayOpen} tells whether it may open a window. Returns whether it did. */
    boolean record(long at, int cost, boolean mayOpen);

    void clear();

    /**
     * The time at which the {@code nth} of equal starts (the first is 1) can go, if only this rate held them and each
     * went as soon as it may.
     */
    default long nthFitsAt(Rate rate, int cost, long nth, long now) {
        int together = Math.max(1, rate.count() / cost);
        long rounds = (nth - 1) / together;
        int within = (int) ((nth - 1) % together) + 1;
        long atOnce = Math.min((long) within * cost, rate.count());
        return Moment.plus(fitsAt(rate.count(), (int) atOnce, now), rounds * rate.period());
    }
}
