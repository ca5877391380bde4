package dev.weir.core.limit;

/** Counts per window; a window is opened by the first start that is judged by it, and counts all starts of its limit. */
final class FixedUsage implements RateUsage {
    private static final long CLOSED = Long.MIN_VALUE;

    private final long period;
    private long openedAt = CLOSED;
    private long cost;

    FixedUsage(long period) {
        this.period = period;
    }

    private boolean open(long now) {
        return openedAt != CLOSED && now < openedAt + period;
    }

    @Override
    public long used(long now) {
        return open(now) ? cost : 0;
    }

    @Override
    public long fitsAt(int count, int asked, long now) {
        return used(now) + asked <= count ? now : openedAt + period;
    }

    @Override
    public long nthFitsAt(Rate rate, int asked, long nth, long now) {
        long free = Math.max(0, rate.count() - used(now)) / asked;
        if (nth <= free) {
            return now;
        }
        long nextWindow = open(now) ? openedAt + period : Moment.plus(now, period);
        int together = Math.max(1, rate.count() / asked);
        return Moment.plus(nextWindow, (nth - free - 1) / together * period);
    }

    @Override
    public long windowStart(long now) {
        return open(now) ? openedAt : now;
    }

    @Override
    public boolean record(long at, int added, boolean mayOpen) {
        if (open(at)) {
            cost += added;
            return false;
        }
        if (mayOpen) {
            openedAt = at;
            cost = added;
        }
        return mayOpen;
    }

    @Override
    public void clear() {
        openedAt = CLOSED;
        cost = 0;
    }
}
