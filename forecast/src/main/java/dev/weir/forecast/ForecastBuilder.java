package dev.weir.forecast;

import dev.weir.forecast.Forecast.End;
import dev.weir.forecast.Forecast.Limit;
import dev.weir.forecast.Forecast.Wait;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Builds a forecast from the measurements. */
record ForecastBuilder(ForecastScenario scenario, ForecastRecorder recorder, WaitTimes waits) {
    /** The most descriptions of waiting work in a forecast that is stuck. */
    private static final int STUCK_MAX = 10;

    Forecast build(End end, long now, long events) {
        long makespan = end == End.DONE ? recorder.lastEnd() : now;
        if (end != End.DONE) {
            waits.refreshHolds(now);
        }
        List<String> stuck = end == End.STUCK ? describeStuckWork() : List.of();
        recorder.closePhases(makespan);
        return new Forecast(
                scenario,
                end,
                makespan,
                events,
                recorder.runs(),
                recorder.steps(),
                limits(makespan),
                sumWaits(makespan),
                recorder.spans(),
                stuck);
    }

    private List<Limit> limits(long now) {
        return recorder.limitUsage().limits(now).stream()
                .sorted(Comparator.comparingDouble(ForecastBuilder::fullness)
                        .thenComparingDouble(Limit::utilisation)
                        .reversed())
                .toList();
    }

    private static double fullness(Limit limit) {
        return (double) limit.peak() / limit.max();
    }

    private List<Wait> sumWaits(long now) {
        record Place(LimitName name, String step) {}
        Map<Place, Long> times = new LinkedHashMap<>();
        waits.totals(now)
                .forEach((account, time) ->
                        times.merge(new Place(LimitName.of(account), account.step()), time, Long::sum));
        List<Wait> list = new ArrayList<>();
        times.forEach((place, time) -> list.add(new Wait(place.name, place.step, time)));
        list.sort(Comparator.comparingLong(Wait::time).reversed());
        return list;
    }

    /** Describes the waiting work and its limits when nothing more can happen. */
    private List<String> describeStuckWork() {
        return waits.countsByAccount().entrySet().stream()
                .map(entry -> describe(entry.getKey(), entry.getValue()))
                .sorted()
                .limit(STUCK_MAX)
                .toList();
    }

    private static String describe(WaitTimes.Account account, int count) {
        String who = account.step().isEmpty() ? "run" : account.step();
        String what = count == 1 ? who + " waits" : count + " × " + who + " wait";
        return what + " for " + LimitName.of(account) + ", which will never admit it";
    }
}
