package dev.weir.forecast;

import dev.weir.core.admission.HoldKind;
import dev.weir.core.admission.LimitSnapshot;
import dev.weir.core.run.OrganisationView;
import dev.weir.forecast.BacklogScenario.Cause;
import dev.weir.forecast.BacklogScenario.HeldBy;
import dev.weir.forecast.BacklogScenario.Kind;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts from time to time what holds the waiting work, and weighs each count by the time that it stands for. The counts
 * become rarer as the prediction goes on, so that they cost a bounded time.
 */
final class HoldCensus {
    /** The limits that are counted, those that refuse most. */
    private static final int LIMITS_MAX = 50;
    /** The number of counts after which they become half as frequent. */
    private static final int COUNTS_PER_INTERVAL = 64;

    private static final int CAUSES_MAX = 5;
    /** The least weight of a count, so that the state at the very beginning is not lost. */
    private static final double INSTANT = 1;

    private final OrganisationView view;
    private final Map<Cause, Double> weights = new HashMap<>();
    private Map<Cause, Long> latest = Map.of();
    private long latestAt;
    private int interval = 1;
    private int untilNext;
    private int counts;

    HoldCensus(OrganisationView view, long now) {
        this.view = view;
        this.latestAt = now;
    }

    /** Counts if it is time. */
    void observe(long now) {
        if (untilNext > 0) {
            untilNext--;
            return;
        }
        addLatest(now);
        latest = count(now);
        latestAt = now;
        counts++;
        if (counts % COUNTS_PER_INTERVAL == 0) {
            interval *= 2;
        }
        untilNext = interval - 1;
    }

    private void addLatest(long now) {
        double time = Math.max(INSTANT, (double) (now - latestAt));
        latest.forEach((cause, tickets) -> weights.merge(cause, tickets.doubleValue() * time, Double::sum));
    }

    private Map<Cause, Long> count(long now) {
        Map<Cause, Long> found = new HashMap<>();
        long waiting = view.modules().waiting();
        long held = 0;
        for (HoldKind kind : HoldKind.values()) {
            held += view.modules().held(kind);
        }
        add(found, new Cause.OfWorkers(), waiting - held);
        add(found, new Cause.OfRun(), inRuns());
        long pausedByLimits = 0;
        for (LimitSnapshot limit : view.limits().mostRefusing(LIMITS_MAX, now)) {
            add(found, new Cause.OfLimit(limit.limit(), kindOf(limit)), limit.waiting());
            pausedByLimits += limit.paused() ? limit.waiting() : 0;
        }
        add(found, new Cause.OfPause(), view.modules().held(HoldKind.PAUSED) - pausedByLimits);
        return found;
    }

    private long inRuns() {
        return (long) view.modules().held(HoldKind.RUN)
                + view.modules().held(HoldKind.TICK)
                + view.modules().held(HoldKind.FAN_OUT);
    }

    private static void add(Map<Cause, Long> found, Cause cause, long tickets) {
        if (tickets > 0) {
            found.merge(cause, tickets, Long::sum);
        }
    }

    private Kind kindOf(LimitSnapshot limit) {
        if (limit.paused()) {
            return Kind.PAUSED;
        }
        Integer parallelism = limit.parallelism();
        if (parallelism != null && limit.used() >= parallelism) {
            return Kind.CAPACITY;
        }
        boolean rateIsFull =
                limit.rate() != null && limit.rateUsed() >= limit.rate().count();
        if (!rateIsFull && !view.limits().tooWide(limit.limit()).isEmpty()) {
            return Kind.OVER_CAPACITY;
        }
        return limit.rate() == null ? Kind.CAPACITY : Kind.RATE;
    }

    /** Returns the causes with the largest parts of all waiting. */
    List<HeldBy> result(long now) {
        addLatest(now);
        latest = Map.of();
        double sum = weights.values().stream().mapToDouble(Double::doubleValue).sum();
        return weights.entrySet().stream()
                .map(entry -> new HeldBy(entry.getKey(), entry.getValue() / sum))
                .sorted(Comparator.comparingDouble(HeldBy::share)
                        .reversed()
                        .thenComparing(held -> held.cause().toString()))
                .limit(CAUSES_MAX)
                .toList();
    }
}
