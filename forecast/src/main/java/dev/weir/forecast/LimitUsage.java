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
    private final Map<LimitName, Level> levels = new LinkedHashMap<>();
    private final Map<LimitName, Pace> paces = new LinkedHashMap<>();
    private final Map<String, OfRun> runs = new HashMap<>();
    /** The number of runs in progress. */
    private final Level running = new Level(1, 0);

    LimitUsage(Workflow workflow) {
        this.workflow = workflow;
    }

    /** The steps, slots and items of one run in flight. */
    private static final class OfRun {
        int steps;
        int slots;
        final Map<String, Integer> items = new HashMap<>();
    }

    /** The usage of a capacity. If each run has its own, their usage is summed. */
    private static final class Level {
        final long capacity;
        long used;
        long scopes;
        long since;
        double usedTime;
        double scopeTime;
        long peak;

        Level(long capacity, long scopes) {
            this.capacity = capacity;
            this.scopes = scopes;
        }

        void at(long now) {
            usedTime += (double) used * (now - since);
            scopeTime += (double) scopes * (now - since);
            since = now;
        }

        void add(long amount, long inScope, long now) {
            at(now);
            used += amount;
            peak = Math.max(peak, inScope);
        }
    }

    /** The starts that a rate admitted. */
    private static final class Pace {
        final Rate rate;
        final RateTracker book = new RateTracker();
        final ArrayDeque<Counted> open = new ArrayDeque<>();
        long starts;
        long peak;
        double area;

        /** A cost that counts until its window ends. */
        private record Counted(long until, int cost) {}

        Pace(Rate rate) {
            this.rate = rate;
        }

        void start(long at, int cost) {
            var usage = book.usage(rate);
            book.record(at, cost, usage);
            starts += cost;
            peak = Math.max(peak, usage.used(at));
            long since = rate.window() == Window.FIXED ? usage.windowStart(at) : at;
            long until = since + rate.period();
            area += (double) cost * (until - at);
            while (!open.isEmpty() && open.getFirst().until <= at) {
                open.removeFirst();
            }
            open.addLast(new Counted(until, cost));
        }

        /** Returns the average usage of the rate over the time until now. */
        double mean(long now) {
            double beyond = 0;
            for (Counted counted : open) {
                beyond += (double) counted.cost * Math.max(0, counted.until - now);
            }
            return now == 0 ? peak : (area - beyond) / now;
        }
    }

    void runStarted(String run, LimitNeeds ask, List<LimitStart> starts, long now) {
        runs.put(run, new OfRun());
        take(ask, now);
        starts.forEach(this::count);
        scopes(runLevels(), 1, now);
    }

    void runEnded(String run, LimitNeeds ask, long now) {
        if (runs.remove(run) != null) {
            giveBack(ask, now);
            scopes(runLevels(), -1, now);
        }
    }

    private List<Level> runLevels() {
        List<Level> found = new ArrayList<>(List.of(running));
        add(found, ofRun(LimitId.Local.RUN_STEPS, workflow.runLimits().maxConcurrentSteps()));
        add(found, ofRun(LimitId.Local.RUN_SLOTS, workflow.runLimits().maxParallel()));
        return found;
    }

    private static void add(List<Level> list, @Nullable Level level) {
        if (level != null) {
            list.add(level);
        }
    }

    private @Nullable Level ofRun(LimitId.Local limit, @Nullable Integer capacity) {
        return capacity == null ? null : level(LimitName.capacity(limit, ""), capacity, 0);
    }

    private @Nullable Level ofFanOut(String step) {
        FanOut fanOut = step(step).fanOut();
        return fanOut == null || fanOut.concurrency() == null
                ? null
                : level(LimitName.capacity(LimitId.Local.FAN_OUT, step), fanOut.concurrency(), 0);
    }

    private Step step(String id) {
        return workflow.step(id);
    }

    private Level level(LimitName name, long capacity, long scopes) {
        return levels.computeIfAbsent(name, ignored -> new Level(capacity, scopes));
    }

    private static void scopes(List<Level> levels, int delta, long now) {
        for (Level level : levels) {
            level.at(now);
            level.scopes += delta;
        }
    }

    /** Records that a fan-out opened or closed. Its concurrency counts while it is open. */
    void fanOut(String step, int delta, long now) {
        Level level = ofFanOut(step);
        if (level != null) {
            scopes(List.of(level), delta, now);
        }
    }

    void granted(Claim claim, int startsInTick, long now) {
        take(claim.ask(), now);
        claim.starts().forEach(this::count);
        countTick(startsInTick);
        local(claim, 1, now);
    }

    void released(Claim claim, long now) {
        giveBack(claim.ask(), now);
        local(claim, -1, now);
    }

    private void countTick(int startsInTick) {
        Integer most = workflow.runLimits().maxStepsPerTick();
        if (most != null) {
            var rate = Rate.fixed(most, Moment.micros(workflow.runLimits().tickInterval()));
            Pace pace = paces.computeIfAbsent(LimitName.rate(LimitId.Local.RUN_TICK), ignored -> new Pace(rate));
            pace.starts++;
            pace.peak = Math.max(pace.peak, startsInTick);
        }
    }

    private void local(Claim claim, int sign, long now) {
        OfRun run = runs.computeIfAbsent(claim.unit().run(), ignored -> new OfRun());
        run.steps += sign;
        run.slots += sign * claim.ask().slots();
        int items = run.items.merge(claim.unit().step(), sign, Integer::sum);
        change(ofRun(LimitId.Local.RUN_STEPS, workflow.runLimits().maxConcurrentSteps()), sign, run.steps, now);
        int slots = sign * claim.ask().slots();
        change(ofRun(LimitId.Local.RUN_SLOTS, workflow.runLimits().maxParallel()), slots, run.slots, now);
        change(ofFanOut(claim.unit().step()), sign, items, now);
    }

    private static void change(@Nullable Level level, long amount, long inScope, long now) {
        if (level != null) {
            level.add(amount, inScope, now);
        }
    }

    private void take(LimitNeeds ask, long now) {
        for (LimitNeed need : ask.needs()) {
            Level level = shared(need);
            if (level != null) {
                level.add(need.weight(), level.used + need.weight(), now);
            }
        }
    }

    private void giveBack(LimitNeeds ask, long now) {
        for (LimitNeed need : ask.needs()) {
            Level level = shared(need);
            if (level != null) {
                level.add(-need.weight(), 0, now);
            }
        }
    }

    private @Nullable Level shared(LimitNeed need) {
        return need.parallelism() == LimitNeed.UNLIMITED
                ? null
                : level(LimitName.capacity(need.limit(), ""), need.parallelism(), 1);
    }

    private void count(LimitStart start) {
        Rate rate = start.rate();
        if (rate != null) {
            paces.computeIfAbsent(LimitName.rate(start.limit()), ignored -> new Pace(rate))
                    .start(start.at(), start.cost());
        }
    }

    /** Returns the limits in the order of their first use. */
    List<Forecast.Limit> limits(long now) {
        List<Forecast.Limit> limits = new ArrayList<>();
        levels.forEach((name, level) -> {
            level.at(now);
            double mean = level.scopeTime == 0 ? 0 : level.usedTime / level.scopeTime;
            limits.add(new Forecast.Limit(name, level.capacity, 0, level.peak, mean));
        });
        running.at(now);
        paces.forEach((name, pace) -> {
            boolean ticks = name.limit() == LimitId.Local.RUN_TICK;
            double mean = ticks ? pace.starts / Math.max(1, running.scopeTime / pace.rate.period()) : pace.mean(now);
            limits.add(new Forecast.Limit(name, pace.rate.count(), pace.rate.period(), pace.peak, mean));
        });
        return limits;
    }
}
