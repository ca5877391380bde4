package dev.weir.testkit.simulator;

import dev.weir.core.definition.FanOut;
import dev.weir.core.life.Ask;
import dev.weir.core.life.Claim;
import dev.weir.core.life.RunState;
import dev.weir.core.life.UnitId;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.limit.Need;
import dev.weir.core.limit.Pin;
import dev.weir.core.limit.Rate;
import dev.weir.core.limit.Window;
import dev.weir.testkit.simulator.Tally.Began;
import dev.weir.testkit.simulator.Tally.RunFacts;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Says by plain counting which limits refuse a ticket. It shares no code with the limits that it judges. */
final class Judge {
    private final Tally tally;

    Judge(Tally tally) {
        this.tally = tally;
    }

    /** The room that is kept for a ticket which was overtaken too often. */
    record Kept(UnitId unit, Ask ask) {}

    Set<Kind> refusals(UnitId unit, Ask ask, @Nullable Kept kept, long now) {
        Set<Kind> refusals = EnumSet.noneOf(Kind.class);
        Kept other = kept == null || kept.unit.equals(unit) ? null : kept;
        inRun(unit, ask, other, now, refusals);
        for (Need need : ask.needs()) {
            shared(need, other, now, refusals);
        }
        return refusals;
    }

    Set<Kind> runRefusals(RunFacts run, long now) {
        Set<Kind> refusals = EnumSet.noneOf(Kind.class);
        if (run.state == RunState.PAUSED) {
            refusals.add(Kind.RUN_PAUSED);
        }
        for (Need need : run.ask.needs()) {
            shared(need, null, now, refusals);
        }
        return refusals;
    }

    private void inRun(UnitId unit, Ask ask, @Nullable Kept kept, long now, Set<Kind> refusals) {
        RunFacts run = tally.run(unit);
        Ask other = kept != null && kept.unit.run().equals(unit.run()) ? kept.ask : null;
        int slots = ask.slots() + (other == null ? 0 : other.slots());
        int steps = 1 + (other == null ? 0 : 1);
        boolean exclusive = (ask.exclusive() && !run.running.isEmpty()) || (other != null && other.exclusive());
        for (UnitId running : run.running) {
            Claim claim = claim(running);
            slots += claim.ask().slots();
            steps++;
            exclusive |= claim.ask().exclusive();
        }
        add(refusals, run.state == RunState.PAUSED, Kind.RUN_PAUSED);
        add(refusals, exclusive, Kind.RUN_EXCLUSIVE);
        add(refusals, run.maxSteps() != null && steps > run.maxSteps(), Kind.RUN_STEPS);
        add(refusals, run.maxSlots() != null && slots > run.maxSlots(), Kind.RUN_SLOTS);
        add(refusals, run.maxSlots() != null && ask.slots() > run.maxSlots(), Kind.OVER_CAPACITY);
        add(refusals, tickIsFull(run, now), Kind.RUN_TICK);
        add(refusals, fanOutIsFull(run, unit), Kind.FAN_OUT);
    }

    private Claim claim(UnitId unit) {
        Claim claim = tally.live.get(unit);
        if (claim == null) {
            throw new Violation("S5", unit + " runs without a claim");
        }
        return claim;
    }

    private static void add(Set<Kind> refusals, boolean refuses, Kind kind) {
        if (refuses) {
            refusals.add(kind);
        }
    }

    private static boolean tickIsFull(RunFacts run, long now) {
        Integer most = run.workflow.runLimits().maxStepsPerTick();
        if (most == null) {
            return false;
        }
        long tick = Moment.micros(run.workflow.runLimits().tickInterval());
        long current = (now - run.startedAt) / tick;
        long starts = run.starts.stream()
                .filter(at -> (at - run.startedAt) / tick == current)
                .count();
        return starts >= most;
    }

    private static boolean fanOutIsFull(RunFacts run, UnitId unit) {
        FanOut fanOut = unit.item() == UnitId.NO_ITEM ? null : run.step(unit).fanOut();
        Integer most = fanOut == null ? null : fanOut.concurrency();
        if (most == null) {
            return false;
        }
        long inFlight = run.running.stream()
                .filter(running -> running.step().equals(unit.step()))
                .count();
        return inFlight >= most;
    }

    private void shared(Need need, @Nullable Kept kept, long now, Set<Kind> refusals) {
        add(refusals, tally.pauses.containsKey(need.limit()), Kind.KEY_PAUSED);
        add(refusals, tally.holds.containsKey(need.limit()), Kind.KEY_HELD);
        int capacity = parallelism(need);
        long held = tally.held(need.limit());
        long room = Math.min(capacity, keptRoom(need.limit(), kept));
        boolean lent = need.weight() == 0;
        add(refusals, !lent && held + need.weight() > room, capacityKind(need.limit()));
        add(refusals, need.weight() > capacity, Kind.OVER_CAPACITY);
        Rate rate = rate(need);
        if (rate != null) {
            add(refusals, used(need.limit(), rate, now) + need.cost() > rate.count(), rateKind(need.limit(), rate));
            add(refusals, need.cost() > rate.count(), Kind.OVER_CAPACITY);
        }
    }

    private long keptRoom(LimitId.Shared limit, @Nullable Kept kept) {
        if (kept == null) {
            return Long.MAX_VALUE;
        }
        for (Need other : kept.ask.needs()) {
            if (other.limit().equals(limit) && parallelism(other) != Need.UNLIMITED) {
                return (long) parallelism(other) - other.weight();
            }
        }
        return Long.MAX_VALUE;
    }

    private static Kind capacityKind(LimitId.Shared limit) {
        return switch (limit) {
            case LimitId.Key ignored -> Kind.KEY_PARALLELISM;
            case LimitId.RunKey ignored -> Kind.RUN_KEY;
            case LimitId.WorkflowRuns ignored -> Kind.CONCURRENT_RUNS;
            case LimitId.OrgRuns ignored -> Kind.CONCURRENT_RUNS;
        };
    }

    private static Kind rateKind(LimitId.Shared limit, Rate rate) {
        if (limit instanceof LimitId.Key) {
            return rate.window() == Window.FIXED ? Kind.KEY_RATE_FIXED : Kind.KEY_RATE_SLIDING;
        }
        return Kind.RUNS_PER_MINUTE;
    }

    int parallelism(Need need) {
        Pin pin = tally.pins.get(need.limit());
        Integer pinned = pin == null ? null : pin.parallelism();
        return pinned == null ? need.parallelism() : pinned;
    }

    @Nullable
    Rate rate(Need need) {
        Pin pin = tally.pins.get(need.limit());
        Rate pinned = pin == null ? null : pin.rate();
        return pinned == null ? need.rate() : pinned;
    }

    long used(LimitId.Shared limit, Rate rate, long now) {
        List<Began> starts = tally.began.getOrDefault(limit, List.of());
        long from = rate.window() == Window.FIXED ? openedAt(starts, rate.period(), now) : now - rate.period() + 1;
        long used = 0;
        for (int i = starts.size() - 1; i >= 0 && starts.get(i).at() >= from; i--) {
            used += starts.get(i).cost();
        }
        return used;
    }

    /** When the window that is open now was opened; later than now if none is. All starts of a key here have its window. */
    private static long openedAt(List<Began> starts, long period, long now) {
        long opened = Long.MIN_VALUE;
        for (Began began : starts) {
            if (opened == Long.MIN_VALUE || began.at() >= opened + period) {
                opened = began.at();
            }
        }
        return opened == Long.MIN_VALUE || now >= opened + period ? now + 1 : opened;
    }
}
