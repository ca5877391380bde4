package dev.weir.core.state;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import dev.weir.core.limit.LimitStart;
import dev.weir.core.limit.Lookback;
import dev.weir.core.limit.Pin;
import dev.weir.core.limit.Rate;
import dev.weir.core.plan.LimitNeeds;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The longest period of a rate on each limit. It bounds how many starts are loaded: only those that can still count.
 */
public final class LongestPeriods {
    private final Map<LimitId.Shared, Long> longest = new HashMap<>();

    /** Collects the periods that live runs, their steps and operators' pins have. */
    public static LongestPeriods of(Collection<RunRow> runs, Collection<StepRow> steps, Map<LimitId.Shared, Pin> pins) {
        var periods = new LongestPeriods();
        runs.forEach(run -> periods.add(run.limitNeeds()));
        steps.forEach(step -> periods.add(step.limitNeeds()));
        pins.forEach((limit, pin) -> pin.rates().forEach(rate -> periods.add(limit, rate)));
        return periods;
    }

    private void add(@Nullable LimitNeeds limitNeeds) {
        if (limitNeeds != null) {
            for (LimitNeed need : limitNeeds.needs()) {
                add(need.limit(), need.rate());
            }
        }
    }

    private void add(LimitId.Shared limit, @Nullable Rate rate) {
        if (rate != null) {
            longest.merge(limit, rate.period(), Math::max);
        }
    }

    /** Returns the longest periods, in microseconds, of the limits on which somebody has a rate. */
    public Map<LimitId.Shared, Long> byLimit() {
        return Map.copyOf(longest);
    }

    /**
     * Returns the longest known period of each limit. The newest start of a limit also tells the longest period for all
     * starts before it.
     */
    private Map<LimitId.Shared, Long> known(List<LimitStart> starts) {
        Map<LimitId.Shared, Long> known = new HashMap<>();
        starts.forEach(start -> known.put(start.limit(), start.longestPeriod()));
        longest.forEach((limit, period) -> known.merge(limit, period, Math::max));
        return known;
    }

    /**
     * Returns, for each limit, the time up to which starts are left out because they no longer count. Limits that are
     * not in the map use the minimum, {@link Lookback#MIN_PERIOD_MICROS}.
     */
    public Map<LimitId.Shared, Long> cutoffs(List<LimitStart> starts, long now) {
        Map<LimitId.Shared, Long> until = new HashMap<>();
        known(starts).forEach((limit, period) -> until.put(limit, Lookback.cutoff(period, now)));
        return until;
    }
}
