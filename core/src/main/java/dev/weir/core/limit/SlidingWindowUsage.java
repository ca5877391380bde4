package dev.weir.core.limit;

import java.util.List;

/**
 * Counts the starts of the last period. It reads either the limit's own log, exact to the microsecond, or a log of
 * aligned buckets. A bucket counts its starts at the bucket's end: later than they happened, never sooner, so it never
 * admits too much.
 */
final class SlidingWindowUsage implements RateUsage {
    /** Width of a bucket in microseconds; 1 if the log is exact. */
    private final long width;

    private final long period;
    private StartLog log;
    private boolean ownsLog;
    private long oldest;
    /** The time up to which starts may be missing. */
    private long knownFrom = Long.MIN_VALUE;

    private SlidingWindowUsage(StartLog log, long period, long width, boolean ownsLog) {
        this.log = log;
        this.period = period;
        this.width = width;
        this.ownsLog = ownsLog;
        this.oldest = log.first();
    }

    static SlidingWindowUsage exact(StartLog log, long period) {
        return new SlidingWindowUsage(log, period, 1, false);
    }

    /**
     * Creates buckets from what the limit's own log still holds. Dropped starts count at the latest time that they can
     * have had.
     */
    static SlidingWindowUsage bucketed(StartLog exact, long period, int buckets) {
        long width = Math.ceilDiv(period, buckets);
        var usage = new SlidingWindowUsage(new StartLog(buckets + 2), period, width, true);
        if (exact.droppedAt() != Long.MIN_VALUE) {
            usage.count(exact.droppedAt(), exact.droppedCost());
        }
        for (long i = exact.first(); i < exact.next(); i++) {
            usage.count(exact.timeOf(i), exact.costFrom(i) - exact.costFrom(i + 1));
        }
        return usage;
    }

    /** Records that starts up to this time have not been read. */
    void setKnownFrom(long at) {
        knownFrom = at;
    }

    @Override
    public boolean lacksStarts(long now) {
        return now - period - (width - 1) < knownFrom;
    }

    /**
     * Counts older starts that were missing, oldest first, before the known ones. From then on it has a log of its own.
     */
    void addMissingStarts(List<LimitStart> older, int entries) {
        StartLog known = log;
        log = new StartLog(entries);
        ownsLog = true;
        for (LimitStart start : older) {
            if (start.at() <= knownFrom) {
                count(start.at(), start.cost());
            }
        }
        if (known.droppedAt() != Long.MIN_VALUE) {
            count(known.droppedAt(), known.droppedCost());
        }
        for (long i = known.first(); i < known.next(); i++) {
            count(known.timeOf(i), known.costFrom(i) - known.costFrom(i + 1));
        }
        oldest = log.first();
        knownFrom = Long.MIN_VALUE;
    }

    @Override
    public long used(long now) {
        skipExpired(now);
        return log.costFrom(oldest);
    }

    /** Moves past the entries older than a period. Time never goes back, so it passes each entry once. */
    private void skipExpired(long now) {
        oldest = Math.max(oldest, log.first());
        while (oldest < log.next() && log.timeOf(oldest) <= now - period) {
            oldest++;
        }
    }

    @Override
    public long fitsAt(int count, int cost, long now) {
        long room = (long) count - cost;
        if (used(now) <= room) {
            return now;
        }
        long low = oldest;
        long high = log.next() - 1;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (log.costFrom(middle + 1) <= room) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return log.timeOf(low) + period;
    }

    @Override
    public long fitsAfter(Rate rate, int cost, int added, boolean opens, long now) {
        long totalCost = (long) cost + added;
        return totalCost <= rate.count()
                ? fitsAt(rate.count(), (int) totalCost, now)
                : Moment.plus(endOfBucket(now), period);
    }

    @Override
    public long windowStart(long now) {
        skipExpired(now);
        return oldest < log.next() ? Math.min(now, log.timeOf(oldest)) : now;
    }

    @Override
    public boolean record(long at, int cost, boolean mayOpen) {
        if (ownsLog) {
            count(at, cost);
        }
        return false;
    }

    private void count(long at, long cost) {
        log.record(endOfBucket(at), cost);
    }

    private long endOfBucket(long at) {
        return Math.floorDiv(at, width) * width + width - 1;
    }

    @Override
    public void clear() {
        knownFrom = Long.MIN_VALUE;
        if (ownsLog) {
            log.clear();
        }
    }
}
