package dev.weir.core.life;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Lookback;
import dev.weir.core.limit.Need;
import dev.weir.core.limit.Pin;
import dev.weir.core.limit.Rate;
import dev.weir.core.limit.Start;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The longest period of a rate on each limit, so that no more starts are read again than can still count. */
public final class Periods {
    private final Map<LimitId.Shared, Long> longest = new HashMap<>();

    /** What living runs and their steps ask, and what operators have set. */
    public static Periods asked(Collection<RunRow> runs, Collection<StepRow> steps, Map<LimitId.Shared, Pin> pins) {
        var periods = new Periods();
        runs.forEach(run -> periods.add(run.ask()));
        steps.forEach(step -> periods.add(step.ask()));
        pins.forEach((limit, pin) -> periods.add(limit, pin.rate()));
        return periods;
    }

    private void add(@Nullable Ask ask) {
        if (ask != null) {
            for (Need need : ask.needs()) {
                add(need.limit(), need.rate());
            }
        }
    }

    private void add(LimitId.Shared limit, @Nullable Rate rate) {
        if (rate != null) {
            longest.merge(limit, rate.period(), Math::max);
        }
    }

    /** The periods, in microseconds, of the limits that somebody asks a rate of. */
    public Map<LimitId.Shared, Long> byLimit() {
        return Map.copyOf(longest);
    }

    /** Those of the starts that can still count; what the newest of a limit says of periods holds for all before it. */
    List<Start> counting(List<Start> starts, long now) {
        Map<LimitId.Shared, Long> known = new HashMap<>();
        starts.forEach(start -> known.put(start.limit(), start.longest()));
        longest.forEach((limit, period) -> known.merge(limit, period, Math::max));
        List<Start> counting = new ArrayList<>();
        for (Start start : starts) {
            if (start.at() > Lookback.after(known.getOrDefault(start.limit(), 0L), now)) {
                counting.add(start);
            }
        }
        return counting;
    }
}
