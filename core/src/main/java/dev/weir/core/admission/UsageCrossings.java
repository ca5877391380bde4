package dev.weir.core.admission;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import dev.weir.core.limit.Rate;
import dev.weir.core.limit.RateUsage;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds limits whose usage reaches a threshold. It looks at a limit only when something starts under it, so that its
 * cost does not depend on the number of limits.
 */
final class UsageCrossings {
    private static final int OFF = 0;
    private static final int HUNDRED = 100;
    /** The number of limits with too wide tickets that are remembered between two advances. */
    private static final int TOO_WIDE_MAX = 100;

    private int warnPercent = OFF;
    private int lowPercent;
    /** True while no more crossings are wanted. */
    private boolean full;

    private List<UsageCrossing> found = new ArrayList<>();
    private final Set<LimitId.Shared> tooWide = new LinkedHashSet<>();

    void configure(int newWarnPercent, int newLowPercent) {
        warnPercent = newWarnPercent;
        lowPercent = newLowPercent;
    }

    void setFull(boolean value) {
        full = value;
    }

    /** Compares the usage of a limit with the thresholds after a start, or after a change of the limit. */
    void record(SharedDemand demand, long now) {
        if (warnPercent == OFF) {
            return;
        }
        SharedLimit limit = demand.limit;
        int capacity = limit.parallelism(demand);
        if (demand.weight != LimitNeed.NO_WEIGHT && capacity != LimitNeed.UNLIMITED) {
            record(limit, false, limit.used, capacity, now);
        }
        RateUsage usage = limit.usage(demand);
        Rate rate = usage == null ? null : limit.rate(demand.need);
        if (usage != null && rate != null) {
            record(limit, true, usage.used(now), rate.count(), now);
        }
    }

    private void record(SharedLimit limit, boolean isRate, long used, long max, long now) {
        if (used * HUNDRED < max * lowPercent) {
            return;
        }
        if (limit.levels == null) {
            limit.levels = new UsageLevels();
        }
        UsageLevels levels = limit.levels;
        levels.setHighAt(isRate, now);
        int level = level(used, max);
        if (level > levels.reported(isRate) && !full) {
            levels.report(isRate, level);
            found.add(new UsageCrossing(limit.id, isRate, level == UsageLevels.CRITICAL, used, max));
        }
    }

    private int level(long used, long max) {
        if (used >= max) {
            return UsageLevels.CRITICAL;
        }
        return used * HUNDRED >= max * warnPercent ? UsageLevels.WARNING : UsageLevels.NONE;
    }

    /** Records that a limit refuses a ticket that is wider than the limit. */
    void recordTooWide(SharedLimit limit) {
        if (warnPercent != OFF && tooWide.size() < TOO_WIDE_MAX) {
            tooWide.add(limit.id);
        }
    }

    /** Returns and clears the crossings since the last call. */
    List<UsageCrossing> take() {
        if (found.isEmpty()) {
            return List.of();
        }
        List<UsageCrossing> taken = found;
        found = new ArrayList<>();
        return taken;
    }

    /** Returns and clears the limits that refused tickets wider than they are. */
    List<LimitId.Shared> takeTooWide() {
        if (tooWide.isEmpty()) {
            return List.of();
        }
        List<LimitId.Shared> taken = List.copyOf(tooWide);
        tooWide.clear();
        return taken;
    }
}
