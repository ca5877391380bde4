package dev.weir.forecast;

import dev.weir.core.definition.FanOut;
import dev.weir.core.definition.Step;
import dev.weir.core.definition.Workflow;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import dev.weir.core.limit.LimitStart;
import dev.weir.core.limit.Moment;
import dev.weir.core.limit.Rate;
import dev.weir.core.limit.RateTracker;
import dev.weir.core.limit.Window;
import dev.weir.core.plan.LimitNeeds;
import dev.weir.core.state.Claim;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Measures the usage of each limit, from grants and returned allocations. */
final class LimitUsage {
    private final Workflow workflow;
    private final Map<LimitName, CapacityUsage> capacityUsages = new LinkedHashMap<>();
    private final Map<LimitName, RateStarts> startsByRate = new LinkedHashMap<>();
    private final Map<String, RunUsage> runs = new HashMap<>();
    /** The number of runs in progress. */
    private final CapacityUsage activeRuns = new CapacityUsage(1, 0);

    LimitUsage(Workflow workflow) {
        this.workflow = workflow;
    }

    /** The steps, slots and items of one run in flight. */
    private static final class RunUsage {
        int steps;
        int slots;
        final Map<String, Integer> items = new HashMap<>();
    }

    /** The usage of a capacity. If each run has its own, their usage is summed. */
    private static final class CapacityUsage {
        final long capacity;
        long used;
        long scopes;
        long since;
        double usedTime;
        double scopeTime;
        long peak;

        CapacityUsage(long capacity, long scopes) {
            this.capacity = capacity;
            this.scopes = scopes;
        }

        void advanceTo(long now) {
            usedTime += (double) used * (now - since);
            scopeTime += (double) scopes * (now - since);
            since = now;
        }

        void add(long amount, long usedInScope, long now) {
            advanceTo(now);
            used += amount;
            peak = Math.max(peak, usedInScope);
        }
    }

    /** The starts that a rate admitted. */
    private static final class RateStarts {
        final Rate rate;
        final RateTracker tracker = new RateTracker();
        final ArrayDeque<ActiveCost> activeCosts = new ArrayDeque<>();
        long starts;
        long peak;
        double area;

        /** A cost that counts until its window ends. */
        private record ActiveCost(long until, int cost) {}

        RateStarts(Rate rate) {
            this.rate = rate;
        }

        void start(long at, int cost) {
            var usage = tracker.usage(rate);
            tracker.record(at, cost, usage);
            starts += cost;
            peak = Math.max(peak, usage.used(at));
            long since = rate.window() == Window.FIXED ? usage.windowStart(at) : at;
            long until = since + rate.period();
            area += (double) cost * (until - at);
            while (!activeCosts.isEmpty() && activeCosts.getFirst().until <= at) {
                activeCosts.removeFirst();
            }
            activeCosts.addLast(new ActiveCost(until, cost));
        }

        /** Returns the average usage of the rate over the time until now. */
        double mean(long now) {
            double beyond = 0;
            for (ActiveCost counted : activeCosts) {
                beyond += (double) counted.cost * Math.max(0, counted.until - now);
            }
            return now == 0 ? peak : (area - beyond) / now;
        }
    }

    void runStarted(String run, LimitNeeds needs, List<LimitStart> starts, long now) {
        runs.put(run, new RunUsage());
        allocate(needs, now);
        starts.forEach(this::recordStart);
        changeScopes(runCapacities(), 1, now);
    }

    void runEnded(String run, LimitNeeds needs, long now) {
        if (runs.remove(run) != null) {
            release(needs, now);
            changeScopes(runCapacities(), -1, now);
        }
    }

    private List<CapacityUsage> runCapacities() {
        List<CapacityUsage> found = new ArrayList<>(List.of(activeRuns));
        add(found, runCapacity(LimitId.Local.RUN_STEPS, workflow.runLimits().maxConcurrentSteps()));
        add(found, runCapacity(LimitId.Local.RUN_SLOTS, workflow.runLimits().maxParallel()));
        return found;
    }

    private static void add(List<CapacityUsage> list, @Nullable CapacityUsage usage) {
        if (usage != null) {
            list.add(usage);
        }
    }

    private @Nullable CapacityUsage runCapacity(LimitId.Local limit, @Nullable Integer capacity) {
        return capacity == null ? null : capacityUsage(LimitName.capacity(limit, ""), capacity, 0);
    }

    private @Nullable CapacityUsage fanOutCapacity(String step) {
        FanOut fanOut = step(step).fanOut();
        return fanOut == null || fanOut.concurrency() == null
                ? null
                : capacityUsage(LimitName.capacity(LimitId.Local.FAN_OUT, step), fanOut.concurrency(), 0);
    }

    private Step step(String id) {
        return workflow.step(id);
    }

    private CapacityUsage capacityUsage(LimitName name, long capacity, long scopes) {
        return capacityUsages.computeIfAbsent(name, ignored -> new CapacityUsage(capacity, scopes));
    }

    private static void changeScopes(List<CapacityUsage> usages, int delta, long now) {
        for (CapacityUsage usage : usages) {
            usage.advanceTo(now);
            usage.scopes += delta;
        }
    }

    /** Records that a fan-out opened or closed. Its concurrency counts while it is open. */
    void changeOpenFanOuts(String step, int delta, long now) {
        CapacityUsage usage = fanOutCapacity(step);
        if (usage != null) {
            changeScopes(List.of(usage), delta, now);
        }
    }

    void granted(Claim claim, int startsInTick, long now) {
        allocate(claim.limitNeeds(), now);
        claim.starts().forEach(this::recordStart);
        recordTickStart(startsInTick);
        changeLocalUsage(claim, 1, now);
    }

    void released(Claim claim, long now) {
        release(claim.limitNeeds(), now);
        changeLocalUsage(claim, -1, now);
    }

    private void recordTickStart(int startsInTick) {
        Integer max = workflow.runLimits().maxStepsPerTick();
        if (max != null) {
            var rate = Rate.fixed(max, Moment.micros(workflow.runLimits().tickInterval()));
            RateStarts rateStarts = startsByRate.computeIfAbsent(
                    LimitName.rate(LimitId.Local.RUN_TICK), ignored -> new RateStarts(rate));
            rateStarts.starts++;
            rateStarts.peak = Math.max(rateStarts.peak, startsInTick);
        }
    }

    private void changeLocalUsage(Claim claim, int sign, long now) {
        RunUsage run = runs.computeIfAbsent(claim.unit().run(), ignored -> new RunUsage());
        run.steps += sign;
        run.slots += sign * claim.limitNeeds().slots();
        int items = run.items.merge(claim.unit().step(), sign, Integer::sum);
        changeUsage(
                runCapacity(LimitId.Local.RUN_STEPS, workflow.runLimits().maxConcurrentSteps()), sign, run.steps, now);
        int slots = sign * claim.limitNeeds().slots();
        changeUsage(runCapacity(LimitId.Local.RUN_SLOTS, workflow.runLimits().maxParallel()), slots, run.slots, now);
        changeUsage(fanOutCapacity(claim.unit().step()), sign, items, now);
    }

    private static void changeUsage(@Nullable CapacityUsage usage, long amount, long usedInScope, long now) {
        if (usage != null) {
            usage.add(amount, usedInScope, now);
        }
    }

    private void allocate(LimitNeeds needs, long now) {
        for (LimitNeed need : needs.needs()) {
            CapacityUsage usage = sharedCapacity(need);
            if (usage != null) {
                usage.add(need.weight(), usage.used + need.weight(), now);
            }
        }
    }

    private void release(LimitNeeds needs, long now) {
        for (LimitNeed need : needs.needs()) {
            CapacityUsage usage = sharedCapacity(need);
            if (usage != null) {
                usage.add(-need.weight(), 0, now);
            }
        }
    }

    private @Nullable CapacityUsage sharedCapacity(LimitNeed need) {
        return need.parallelism() == LimitNeed.UNLIMITED
                ? null
                : capacityUsage(LimitName.capacity(need.limit(), ""), need.parallelism(), 1);
    }

    private void recordStart(LimitStart start) {
        Rate rate = start.rate();
        if (rate != null) {
            startsByRate
                    .computeIfAbsent(LimitName.rate(start.limit()), ignored -> new RateStarts(rate))
                    .start(start.at(), start.cost());
        }
    }

    /** Returns the limits in the order of their first use. */
    List<Forecast.Limit> limits(long now) {
        List<Forecast.Limit> limits = new ArrayList<>();
        capacityUsages.forEach((name, usage) -> {
            usage.advanceTo(now);
            double mean = usage.scopeTime == 0 ? 0 : usage.usedTime / usage.scopeTime;
            limits.add(new Forecast.Limit(name, usage.capacity, 0, usage.peak, mean));
        });
        activeRuns.advanceTo(now);
        startsByRate.forEach((name, rateStarts) -> {
            boolean isTick = name.limit() == LimitId.Local.RUN_TICK;
            double mean = isTick
                    ? rateStarts.starts / Math.max(1, activeRuns.scopeTime / rateStarts.rate.period())
                    : rateStarts.mean(now);
            limits.add(
                    new Forecast.Limit(name, rateStarts.rate.count(), rateStarts.rate.period(), rateStarts.peak, mean));
        });
        return limits;
    }
}
