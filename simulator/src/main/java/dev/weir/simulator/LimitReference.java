package dev.weir.simulator;

import dev.weir.core.definition.FanOut;
import dev.weir.core.state.RunState;
import dev.weir.core.state.UnitId;
import dev.weir.simulator.Requirement.Share;
import dev.weir.simulator.Requirement.StartRate;
import dev.weir.simulator.TraceState.RateStart;
import dev.weir.simulator.TraceState.RunFacts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Decides by plain counting which limits refuse a ticket. It shares no code with the limits that it verifies. */
final class LimitReference {
    private static final Set<Coverage> RATES =
            EnumSet.of(Coverage.RUN_TICK, Coverage.KEY_RATE_SLIDING, Coverage.KEY_RATE_FIXED, Coverage.RUNS_PER_MINUTE);
    private static final Set<Coverage> STOPS =
            EnumSet.of(Coverage.RUN_PAUSED, Coverage.KEY_PAUSED, Coverage.SUSPENDED, Coverage.KEY_HELD);

    private final TraceState traceState;

    LimitReference(TraceState traceState) {
        this.traceState = traceState;
    }

    /** The reservation of a ticket that was overtaken too often. */
    record Reservation(UnitId unit, Requirement requirement) {}

    /**
     * All reservations: the capacity reserved for one ticket, and the space reserved in the windows of rates for
     * others, oldest first.
     */
    record Reservations(@Nullable Reservation capacity, List<Reservation> windows) {
        static final Reservations NONE = new Reservations(null, List.of());
    }

    Set<Coverage> refusals(UnitId unit, Requirement requirement, Reservations reserved, long now) {
        Set<Coverage> refusals = EnumSet.noneOf(Coverage.class);
        add(refusals, traceState.pauses.containsKey(OperatorValues.SUSPENSION), Coverage.SUSPENDED);
        Reservation room = reserved.capacity;
        Reservation other = room == null || room.unit.equals(unit) ? null : room;
        addRunRefusals(unit, requirement, other, now, refusals);
        for (Share share : requirement.shares()) {
            addSharedRefusals(share, other, now, refusals);
            boolean postpones = reserved.windows.stream()
                    .takeWhile(window -> !window.unit.equals(unit))
                    .anyMatch(window -> wouldPostpone(share, window.requirement, now));
            add(refusals, postpones, Coverage.WINDOW_RESERVED);
        }
        return refusals;
    }

    /** True if a start with this share now would delay the ticket for which space in windows is reserved. */
    private boolean wouldPostpone(Share share, Requirement reserved, long now) {
        List<RateStart> starts = traceState.startsByLimit.getOrDefault(share.limit(), List.of());
        List<RateStart> more = new ArrayList<>(starts);
        more.add(new RateStart(now, share.cost()));
        for (Share other : reserved.shares()) {
            if (other.limit().equals(share.limit()) && startRate(other) != null) {
                return earliestStart(reserved, share.limit(), more, now)
                        > earliestStart(reserved, share.limit(), starts, now);
            }
        }
        return false;
    }

    /**
     * The time at which the rates admit the ticket if nothing else starts. Only the times at which an earlier start
     * stops counting need checking.
     */
    private long earliestStart(Requirement reserved, String changed, List<RateStart> starts, long now) {
        SortedSet<Long> times = new TreeSet<>(Set.of(now));
        for (Share share : reserved.shares()) {
            StartRate startRate = startRate(share);
            if (startRate != null) {
                for (RateStart start : startsOf(share.limit(), changed, starts)) {
                    if (start.at() + startRate.period() > now) {
                        times.add(start.at() + startRate.period());
                    }
                }
            }
        }
        for (long at : times) {
            boolean open = true;
            for (Share share : reserved.shares()) {
                StartRate startRate = startRate(share);
                open &= startRate == null
                        || used(startsOf(share.limit(), changed, starts), startRate, at) + share.cost()
                                <= startRate.count();
            }
            if (open) {
                return at;
            }
        }
        return Long.MAX_VALUE;
    }

    private List<RateStart> startsOf(String limit, String changed, List<RateStart> starts) {
        return limit.equals(changed) ? starts : traceState.startsByLimit.getOrDefault(limit, List.of());
    }

    Set<Coverage> runRefusals(RunFacts run, long now) {
        Set<Coverage> refusals = EnumSet.noneOf(Coverage.class);
        add(refusals, traceState.pauses.containsKey(OperatorValues.SUSPENSION), Coverage.SUSPENDED);
        if (run.state == RunState.PAUSED) {
            refusals.add(Coverage.RUN_PAUSED);
        }
        for (Share share : run.requirement.shares()) {
            addSharedRefusals(share, null, now, refusals);
        }
        return refusals;
    }

    private void addRunRefusals(
            UnitId unit, Requirement requirement, @Nullable Reservation reserved, long now, Set<Coverage> refusals) {
        RunFacts run = traceState.run(unit);
        Requirement other = reserved != null && reserved.unit.run().equals(unit.run()) ? reserved.requirement : null;
        int slots = requirement.slots() + (other == null ? 0 : other.slots());
        int steps = 1 + (other == null ? 0 : 1);
        boolean exclusive = (requirement.exclusive() && !run.running.isEmpty()) || (other != null && other.exclusive());
        for (UnitId running : run.running) {
            Requirement allocated = allocationOf(running);
            slots += allocated.slots();
            steps++;
            exclusive |= allocated.exclusive();
        }
        add(refusals, run.state == RunState.PAUSED, Coverage.RUN_PAUSED);
        add(refusals, exclusive, Coverage.RUN_EXCLUSIVE);
        Integer maxSteps = run.maxSteps(now);
        Integer maxSlots = run.maxSlots(now);
        add(refusals, maxSteps != null && steps > maxSteps, Coverage.RUN_STEPS);
        add(refusals, maxSlots != null && slots > maxSlots, Coverage.RUN_SLOTS);
        add(refusals, maxSlots != null && requirement.slots() > maxSlots, Coverage.OVER_CAPACITY);
        add(refusals, isTickFull(run, now), Coverage.RUN_TICK);
        add(refusals, isFanOutFull(run, unit), Coverage.FAN_OUT);
    }

    private Requirement allocationOf(UnitId unit) {
        Requirement allocated = traceState.allocations.get(unit);
        if (allocated == null) {
            throw new Violation("S5", unit + " runs without a claim");
        }
        return allocated;
    }

    /** The promise that a start breaks if these limits refuse it. */
    static String brokenPromise(Set<Coverage> refusals) {
        if (refusals.contains(Coverage.RUN_EXCLUSIVE)) {
            return "S2";
        }
        if (!Collections.disjoint(refusals, RATES)) {
            return "S3";
        }
        return Collections.disjoint(refusals, STOPS) ? "S1" : "L4";
    }

    private static void add(Set<Coverage> refusals, boolean refuses, Coverage kind) {
        if (refuses) {
            refusals.add(kind);
        }
    }

    private static boolean isTickFull(RunFacts run, long now) {
        Integer max = run.workflow.runLimits().maxStepsPerTick();
        if (max == null) {
            return false;
        }
        long tick = Requirements.micros(run.workflow.runLimits().tickInterval());
        long current = (now - run.startedAt) / tick;
        long starts = run.starts.stream()
                .filter(at -> (at - run.startedAt) / tick == current)
                .count();
        return starts >= max;
    }

    private static boolean isFanOutFull(RunFacts run, UnitId unit) {
        FanOut fanOut = unit.item() == UnitId.NO_ITEM ? null : run.step(unit).fanOut();
        Integer max = fanOut == null ? null : fanOut.concurrency();
        if (max == null) {
            return false;
        }
        long inFlight = run.running.stream()
                .filter(running -> running.step().equals(unit.step()))
                .count();
        return inFlight >= max;
    }

    private void addSharedRefusals(Share share, @Nullable Reservation reserved, long now, Set<Coverage> refusals) {
        String limit = share.limit();
        add(refusals, traceState.pauses.containsKey(limit), Coverage.KEY_PAUSED);
        add(refusals, traceState.holds.containsKey(limit), Coverage.KEY_HELD);
        int capacity = parallelism(share);
        long allocated = traceState.allocated(limit);
        long room = Math.min(capacity, unreservedCapacity(limit, reserved));
        boolean borrowed = share.weight() == 0;
        add(refusals, !borrowed && allocated + share.weight() > room, capacityKind(limit));
        add(refusals, share.weight() > capacity, Coverage.OVER_CAPACITY);
        StartRate startRate = startRate(share);
        if (startRate != null) {
            add(refusals, used(limit, startRate, now) + share.cost() > startRate.count(), rateKind(limit, startRate));
            add(refusals, share.cost() > startRate.count(), Coverage.OVER_CAPACITY);
        }
    }

    private long unreservedCapacity(String limit, @Nullable Reservation reserved) {
        if (reserved == null) {
            return Long.MAX_VALUE;
        }
        for (Share other : reserved.requirement.shares()) {
            if (other.limit().equals(limit) && parallelism(other) != Requirement.UNLIMITED) {
                return (long) parallelism(other) - other.weight();
            }
        }
        return Long.MAX_VALUE;
    }

    private static boolean isKey(String limit) {
        return limit.startsWith("key:");
    }

    private static Coverage capacityKind(String limit) {
        if (isKey(limit)) {
            return Coverage.KEY_PARALLELISM;
        }
        return limit.startsWith("run_key:") ? Coverage.RUN_KEY : Coverage.CONCURRENT_RUNS;
    }

    private static Coverage rateKind(String limit, StartRate startRate) {
        if (isKey(limit)) {
            return startRate.fixed() ? Coverage.KEY_RATE_FIXED : Coverage.KEY_RATE_SLIDING;
        }
        return Coverage.RUNS_PER_MINUTE;
    }

    /** The capacity of a limit for a step: an operator's value, or the step's own. */
    int parallelism(Share share) {
        Integer pinned = traceState.pinnedParallelism(share.limit());
        return pinned == null ? share.parallelism() : pinned;
    }

    private @Nullable StartRate startRate(Share share) {
        StartRate pinned = traceState.pinnedRate(share.limit());
        return pinned == null ? share.startRate() : pinned;
    }

    private long used(String limit, StartRate startRate, long now) {
        return used(traceState.startsByLimit.getOrDefault(limit, List.of()), startRate, now);
    }

    private static long used(List<RateStart> starts, StartRate startRate, long now) {
        long from = startRate.fixed() ? windowStart(starts, startRate.period(), now) : now - startRate.period() + 1;
        long used = 0;
        for (int i = starts.size() - 1; i >= 0 && starts.get(i).at() >= from; i--) {
            used += starts.get(i).cost();
        }
        return used;
    }

    /**
     * The time at which the currently open window began, or a later time than now if no window is open. All starts of a
     * key in the simulation use the same window.
     */
    private static long windowStart(List<RateStart> starts, long period, long now) {
        long opened = Long.MIN_VALUE;
        for (RateStart start : starts) {
            if (opened == Long.MIN_VALUE || start.at() >= opened + period) {
                opened = start.at();
            }
        }
        return opened == Long.MIN_VALUE || now >= opened + period ? now + 1 : opened;
    }
}
