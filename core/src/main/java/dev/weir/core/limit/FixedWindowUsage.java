package dev.weir.core.limit;

/**
 * Counts starts per window. The first start that such a rate judges opens a window, which counts all starts of its
 * limit.
 */
final class FixedWindowUsage implements RateUsage {
    private static final long CLOSED = Long.MIN_VALUE;

    private final long period;
    private long openedAt = CLOSED;
    private long windowCost;

    FixedWindowUsage(long period) {
        this.period = period;
    }

    /** The time at which the last window was opened. */
    long openedAt() {
        return openedAt;
    }

    private boolean isOpen(long now) {
        return openedAt != CLOSED && now < openedAt + period;
    }

    @Override
    public long used(long now) {
        return isOpen(now) ? windowCost : 0;
    }

    @Override
    public long fitsAt(int count, int requested, long now) {
        return used(now) + requested <= count ? now : openedAt + period;
    }

    @Override
    public long fitsAfter(Rate rate, int requested, int added, boolean opens, long now) {
        boolean open = isOpen(now);
        if (!open && !opens) {
            return now;
        }
        boolean fits = used(now) + added + requested <= rate.count();
        return fits ? now : (open ? openedAt : now) + period;
    }

    @Override
    public long nthFitsAt(Rate rate, int requested, long nth, long now) {
        long free = Math.max(0, rate.count() - used(now)) / requested;
        if (nth <= free) {
            return now;
        }
        long nextWindow = isOpen(now) ? openedAt + period : Moment.plus(now, period);
        int perWindow = Math.max(1, rate.count() / requested);
        return Moment.plus(nextWindow, (nth - free - 1) / perWindow * period);
    }

    @Override
    public long windowStart(long now) {
        return isOpen(now) ? openedAt : now;
    }

    @Override
    public boolean record(long at, int added, boolean mayOpen) {
        if (isOpen(at)) {
            windowCost += added;
            return false;
        }
        if (mayOpen) {
            openedAt = at;
            windowCost = added;
        }
        return mayOpen;
    }

    @Override
    public void clear() {
        openedAt = CLOSED;
        windowCost = 0;
    }
}
