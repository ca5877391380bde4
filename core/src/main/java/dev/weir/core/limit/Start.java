package dev.weir.core.limit;

import org.jspecify.annotations.Nullable;

/**
 * A start as a shared limit with a rate remembers it. A list of these, oldest first, is all that is needed to know the
 * usage of every rate again.
 *
 * @param at when it started, in microseconds
 * @param rate the rate that it was judged by, own or pinned; absent if only others of the key have one
 * @param opens whether it opened a window of that rate; without this a list that was cut off could not tell where fixed
 *     windows begin
 * @param longest the longest period that anybody was known to have on the limit by then, in microseconds; 0 if none. It
 *     says how long the starts until then have to be remembered
 */
public record Start(
        LimitId.Shared limit, long at, int cost, @Nullable Rate rate, boolean opens, long longest) {
    /** A start on a limit on which nobody is known to have a longer period. */
    public Start(LimitId.Shared limit, long at, int cost, @Nullable Rate rate, boolean opens) {
        this(limit, at, cost, rate, opens, ownPeriod(rate));
    }

    private static long ownPeriod(@Nullable Rate rate) {
        return rate == null ? 0 : rate.period();
    }

    /** Whether somebody has a longer period on the limit than the one that this start was judged by. */
    public boolean underLonger() {
        return longest > ownPeriod(rate);
    }
}
