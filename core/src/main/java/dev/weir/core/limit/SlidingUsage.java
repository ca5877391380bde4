package dev.weir.core.limit;

/**
 * Counts the starts of the last period. It reads a log that is either the limit's own, exact to the microsecond, or one
 * of aligned buckets in which each start counts as if it came at the end of its bucket: later than it did, never sooner,
 * so that it never admits too much.
 */
final class SlidingUsage implements RateUsage {
    /** Width of a bucket in microseconds; 1 where the log is exact. */
    private final long width;

    private final long period;
    private final StartLog log;
    private final boolean ownsLog;
    private long oldest;

    private SlidingUsage(StartLog log, long period, long width, boolean ownsLog) {
        this.log = log;
        this.period = period;
        this.width = width;
        this.ownsLog = ownsLog;
        this.oldest = log.first();
    }

    static SlidingUsage exact(StartLog log, long period) {
        return new SlidingUsage(log, period, 1, false);
    }

    /** Buckets that know what the limit's own log still knows; what it has dropped counts as late as it can have been. */
    static SlidingUsage bucketed(StartLog exact, long period, int buckets) {
        long width = Math.ceilDiv(period, buckets);
        var usage = new SlidingUsage(new StartLog(buckets + 2), period, width, true);
        if (exact.droppedAt() != Long.MIN_VALUE) {
            usage.count(exact.droppedAt(), exact.droppedCost());
        }
        for (long i = exact.first(); i < exact.next(); i++) {
            usage.count(exact.timeOf(i), exact.costFrom(i) - exact.costFrom(i + 1));
        }
        return usage;
    }

    @Override
    public long used(long now) {
        forget(now);
        return log.costFrom(oldest);
    }

    /** Moves past what is older than a period; time never goes back, so each entry is passed once. */
    private void forget(long now) {
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
    public long windowStart(long now) {
        forget(now);
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
        log.record(Math.floorDiv(at, width) * width + width - 1, cost);
    }

    @Override
    public void clear() {
        if (ownsLog) {
            log.clear();
        }
    }
}
