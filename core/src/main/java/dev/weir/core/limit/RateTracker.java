package dev.weir.core.limit;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts the starts of one shared limit for every rate that a ticket or a pin has on it. */
public final class RateTracker {
    /** Number of starts remembered to the microsecond. Rates with a larger count use this number of aligned buckets. */
    public static final int EXACT_STARTS = 1_024;

    private final int exactStarts;
    private final StartLog log;
    private final List<TrackedRate> trackedRates = new ArrayList<>(1);
    private long longestPeriod;
    /** The time up to which starts may be missing. */
    private long knownFrom = Long.MIN_VALUE;

    private record TrackedRate(long period, Window window, boolean bucketed, RateUsage usage) {}

    public RateTracker() {
        this(EXACT_STARTS);
    }

    RateTracker(int exactStarts) {
        this.exactStarts = exactStarts;
        this.log = new StartLog(exactStarts);
    }

    /** The usage that judges this rate. Rates that differ only in their count usually share one. */
    public RateUsage usage(Rate rate) {
        boolean bucketed = rate.window() == Window.SLIDING && rate.count() > exactStarts;
        for (TrackedRate trackedRate : trackedRates) {
            if (trackedRate.period == rate.period()
                    && trackedRate.window == rate.window()
                    && trackedRate.bucketed == bucketed) {
                return trackedRate.usage;
            }
        }
        var usage = switch (rate.window()) {
            case FIXED -> new FixedWindowUsage(rate.period());
            case SLIDING -> sliding(rate.period(), bucketed);
        };
        trackedRates.add(new TrackedRate(rate.period(), rate.window(), bucketed, usage));
        longestPeriod = Math.max(longestPeriod, rate.period());
        return usage;
    }

    private SlidingWindowUsage sliding(long period, boolean bucketed) {
        var usage = bucketed
                ? SlidingWindowUsage.bucketed(log, period, exactStarts)
                : SlidingWindowUsage.exact(log, period);
        usage.setKnownFrom(knownFrom);
        return usage;
    }

    /** Counts the starts that were missing, oldest first, for the periods that are long enough to need them. */
    public void addMissingStarts(List<LimitStart> older, long now) {
        for (TrackedRate trackedRate : trackedRates) {
            if (trackedRate.usage instanceof SlidingWindowUsage usage && usage.lacksStarts(now)) {
                usage.addMissingStarts(older, trackedRate.bucketed ? exactStarts + 2 : exactStarts);
            }
        }
    }

    /** Records that starts up to this time may be missing for periods that are not known yet. */
    public void setKnownFrom(long at) {
        knownFrom = at;
    }

    /** Prepares for a rate, so that it counts each start from now on. */
    public void track(Rate rate) {
        RateUsage unused = usage(rate);
    }

    /** Counts a start from before a restart again. */
    public void restore(LimitStart start) {
        RateUsage own = start.rate() == null ? null : usage(start.rate());
        longestPeriod = Math.max(longestPeriod, start.longestPeriod());
        count(start.at(), start.cost(), start.opensWindow() ? own : null);
    }

    /**
     * Counts a start.
     *
     * @param own the usage that judged it, if a rate did
     * @return true if it opened a window
     */
    public boolean record(long at, int cost, @Nullable RateUsage own) {
        return count(at, cost, own);
    }

    private boolean count(long at, int cost, @Nullable RateUsage opener) {
        log.record(at, cost);
        boolean opened = false;
        for (int i = 0; i < trackedRates.size(); i++) {
            RateUsage usage = trackedRates.get(i).usage;
            opened |= usage.record(at, cost, usage == opener);
        }
        return opened;
    }

    /**
     * Returns the remembered starts of a limit, oldest first: {@link #restore} gets the same usage from them. Those that
     * the log has dropped count as one start at the latest time that they can have had.
     */
    public List<LimitStart> starts(LimitId.Shared limit) {
        List<LimitStart> starts = new ArrayList<>();
        if (log.droppedAt() != Long.MIN_VALUE) {
            addStart(starts, limit, log.droppedAt(), log.droppedCost());
        }
        for (long i = log.first(); i < log.next(); i++) {
            addStart(starts, limit, log.timeOf(i), log.costFrom(i) - log.costFrom(i + 1));
        }
        return starts;
    }

    private void addStart(List<LimitStart> starts, LimitId.Shared limit, long at, long cost) {
        int counted = (int) Math.min(cost, Integer.MAX_VALUE);
        boolean added = false;
        for (TrackedRate tracked : trackedRates) {
            if (tracked.usage instanceof FixedWindowUsage usage && usage.openedAt() == at) {
                var rate = new Rate(1, tracked.period, Window.FIXED);
                starts.add(new LimitStart(limit, at, added ? 0 : counted, rate, true, longestPeriod));
                added = true;
            }
        }
        if (!added) {
            starts.add(new LimitStart(limit, at, counted, null, false, longestPeriod));
        }
    }

    /** The longest period that any rate has or had here; 0 if none. */
    public long longestPeriod() {
        return longestPeriod;
    }

    /** The time from which no recorded start can matter any more. */
    public long startsExpireAt() {
        long newest = log.newestStartAt();
        return newest == Long.MIN_VALUE
                ? Long.MIN_VALUE
                : Moment.plus(newest, Math.max(2 * longestPeriod, Lookback.MIN_PERIOD_MICROS));
    }

    /** Returns the newest starts after a time, oldest first, at most {@code max}. */
    public List<CountedStart> newestStarts(long after, int max) {
        return log.newest(after, max);
    }

    /** The time of the newest start; {@code Long.MIN_VALUE} if none is known. */
    public long newestStartAt() {
        return log.newestStartAt();
    }

    /** Forgets every start, as an operator's reset-rate does. */
    public void reset() {
        knownFrom = Long.MIN_VALUE;
        log.clear();
        for (TrackedRate trackedRate : trackedRates) {
            trackedRate.usage.clear();
        }
    }
}
