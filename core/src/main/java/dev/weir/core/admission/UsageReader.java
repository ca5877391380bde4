package dev.weir.core.admission;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import dev.weir.core.limit.Moment;
import dev.weir.core.limit.Rate;
import dev.weir.core.limit.RateUsage;
import org.jspecify.annotations.Nullable;

/** Reads how far one shared limit is used, whatever ticket asks. */
final class UsageReader {
    private static final UsageReading UNUSED = new UsageReading(0, 0, Long.MIN_VALUE, Moment.NEVER);

    private UsageReader() {}

    static UsageReading read(@Nullable SharedLimit limit, boolean isRate, long now) {
        if (limit == null) {
            return UNUSED;
        }
        long highAt = limit.levels == null ? Long.MIN_VALUE : limit.levels.highAt(isRate);
        long used = 0;
        long max = 0;
        for (SharedDemand demand : limit.demands()) {
            long demandMax = isRate ? rateCount(limit, demand) : capacity(limit, demand);
            if (demandMax > max) {
                max = demandMax;
                used = isRate ? rateUsed(limit, demand, now) : limit.used;
            }
        }
        return new UsageReading(used, max, highAt, Waitlist.oldestSince(limit, now));
    }

    private static long capacity(SharedLimit limit, SharedDemand demand) {
        int capacity = limit.parallelism(demand);
        return demand.weight == LimitNeed.NO_WEIGHT || capacity == LimitNeed.UNLIMITED ? 0 : capacity;
    }

    private static long rateCount(SharedLimit limit, SharedDemand demand) {
        Rate rate = limit.usage(demand) == null ? null : limit.rate(demand.need);
        return rate == null ? 0 : rate.count();
    }

    private static long rateUsed(SharedLimit limit, SharedDemand demand, long now) {
        RateUsage usage = limit.usage(demand);
        return usage == null ? 0 : usage.used(now);
    }

    /** Lets the next start that reaches a threshold of a limit be found again. */
    static void rearm(AdmissionRegistry registry, String limit, boolean isRate) {
        SharedLimit known = registry.findLimit(LimitId.Shared.of(limit));
        if (known != null && known.levels != null) {
            known.levels.report(isRate, UsageLevels.NONE);
        }
    }
}
