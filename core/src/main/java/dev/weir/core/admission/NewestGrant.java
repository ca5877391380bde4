package dev.weir.core.admission;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Rate;
import dev.weir.core.limit.RateUsage;
import org.jspecify.annotations.Nullable;

/**
 * The values by which a limit judged its newest grant. They bound the present usage, even if an operator has lowered
 * the limit since: usage only falls between grants.
 */
final class NewestGrant {
    /** The capacity is unknown: the limit has granted nothing since it was loaded. */
    private static final int UNKNOWN = -1;

    private int capacity = UNKNOWN;
    private @Nullable Rate rate;

    void judgedByCapacity(int value) {
        capacity = value;
    }

    /** Notes the rate; null if the start had none. */
    void judgedByRate(@Nullable Rate value) {
        rate = value;
    }

    /** Returns the usage of the capacity above what this grant allowed, if there is any. */
    @Nullable
    Overuse findCapacityOveruse(LimitId.Key key, SharedLimit limit) {
        boolean isProved = capacity != UNKNOWN;
        int max = isProved ? capacity : widestCapacity(limit);
        return limit.used > max ? new Overuse(key, limit.used, max, isProved) : null;
    }

    /** The largest capacity in use. */
    private static int widestCapacity(SharedLimit limit) {
        int widest = 0;
        for (SharedDemand demand : limit.demands()) {
            widest = Math.max(widest, limit.parallelism(demand));
        }
        return widest;
    }

    /** Returns the usage of the rate above what this grant allowed, if there is any. */
    @Nullable
    Overuse findRateOveruse(LimitId.Key key, SharedLimit limit, long now) {
        if (rate == null) {
            return null;
        }
        RateUsage usage = limit.rateTracker().usage(rate);
        boolean isOver = !usage.lacksStarts(now) && usage.used(now) > rate.count();
        return isOver ? new Overuse(key, usage.used(now), rate.count(), true) : null;
    }
}
