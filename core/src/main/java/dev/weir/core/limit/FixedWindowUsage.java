package dev.weir.core.limit;

/**
 * Counts starts per window. The first start that such a rate judges opens a window, which counts all starts of its
 * limit.
 */
final class FixedWindowUsage implements RateUsage {
    private static final long CLOSED = Long.MIN_VALUE;

    private final long period;
    private long openedAt = CLOSED;
    private long cost;

    FixedWindowUsage(long period) {
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
    public long fitsAfter(Rate rate, int asked, int added, boolean opens, long now) {
        boolean open = open(now);
        if (!open && !opens) {
            return now;
        }
        boolean fits = used(now) + added + asked <= rate.count();
        return fits ? now : (open ? openedAt : now) + period;
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
