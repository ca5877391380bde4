package dev.weir.core.limit;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The starts of one shared limit, seen through every rate that somebody has on it. */
public final class RateBook {
    /** Starts that are remembered to the microsecond; rates with a larger count are kept in as many aligned buckets. */
    public static final int REMEMBERED_STARTS = 1_024;

    private final int remembered;
    private final StartLog log;
    private final List<View> views = new ArrayList<>(1);
    private long longestPeriod;

    private record View(long period, Window window, boolean bucketed, RateUsage usage) {}

    public RateBook() {
        this(REMEMBERED_STARTS);
    }

    RateBook(int remembered) {
        this.remembered = remembered;
        this.log = new StartLog(remembered);
    }

    /** The usage that this rate is judged by; rates that differ only in count mostly share one. */
    public RateUsage usage(Rate rate) {
        boolean bucketed = rate.window() == Window.SLIDING && rate.count() > remembered;
        for (View view : views) {
            if (view.period == rate.period() && view.window == rate.window() && view.bucketed == bucketed) {
                return view.usage;
            }
        }
        var usage = switch (rate.window()) {
            case FIXED -> new FixedUsage(rate.period());
            case SLIDING ->
                bucketed
                        ? SlidingUsage.bucketed(log, rate.period(), remembered)
                        : SlidingUsage.exact(log, rate.period());
        };
        views.add(new View(rate.period(), rate.window(), bucketed, usage));
        longestPeriod = Math.max(longestPeriod, rate.period());
        return usage;
    }

    /** Prepares for a rate, so that it counts what comes from now on one by one. */
    public void expect(Rate rate) {
        RateUsage unused = usage(rate);
    }

    /** Counts again a start from before a restart. */
    public void restore(Start start) {
        RateUsage own = start.rate() == null ? null : usage(start.rate());
        longestPeriod = Math.max(longestPeriod, start.longest());
        count(start.at(), start.cost(), start.opens() ? own : null);
    }

    /**
     * Counts a start.
     *
     * @param own the usage that it was judged by, if it was judged by a rate
     * @return whether it opened a window
     */
    public boolean record(long at, int cost, @Nullable RateUsage own) {
        return count(at, cost, own);
    }

    private boolean count(long at, int cost, @Nullable RateUsage opener) {
        log.record(at, cost);
        boolean opened = false;
        for (int i = 0; i < views.size(); i++) {
            RateUsage usage = views.get(i).usage;
            opened |= usage.record(at, cost, usage == opener);
        }
        return opened;
    }

    /** The longest period that anybody is known to have, or to have had; 0 if none. */
    public long longestPeriod() {
        return longestPeriod;
    }

    /** From when on nothing that was recorded can matter any more. */
    public long quietAt() {
        long newest = log.newest();
        return newest == Long.MIN_VALUE ? Long.MIN_VALUE : Moment.plus(newest, 2 * longestPeriod);
    }

    /** Forgets every start, as an operator's reset-rate does. */
    public void reset() {
        log.clear();
        for (View view : views) {
            view.usage.clear();
        }
    }
}
