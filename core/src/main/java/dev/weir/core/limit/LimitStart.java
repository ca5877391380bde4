package dev.weir.core.limit;

import org.jspecify.annotations.Nullable;

/**
 * A start that a shared limit with a rate remembers. A list of these, oldest first, is enough to compute the usage of
 * every rate again.
 *
 * @param at the time of the start, in microseconds
 * @param rate the rate that judged it, its own or a pinned one; null if only other tickets of the key have a rate
 * @param opensWindow true if it opened a window of that rate; otherwise a truncated list could not tell where fixed
 *     windows begin
 * @param longestPeriod the longest known period on the limit at that time, in microseconds; 0 if none. It says how long
 *     earlier starts must be remembered
 */
public record LimitStart(
        LimitId.Shared limit, long at, int cost, @Nullable Rate rate, boolean opensWindow, long longestPeriod) {
    /** Creates a start on a limit that has no longer period than its own. */
    public LimitStart(LimitId.Shared limit, long at, int cost, @Nullable Rate rate, boolean opens) {
        this(limit, at, cost, rate, opens, ownPeriod(rate));
    }

    private static long ownPeriod(@Nullable Rate rate) {
        return rate == null ? 0 : rate.period();
    }

    /** True if the limit has a longer period than the rate that judged this start. */
    public boolean hasLongerPeriod() {
        return longestPeriod > ownPeriod(rate);
    }
}
