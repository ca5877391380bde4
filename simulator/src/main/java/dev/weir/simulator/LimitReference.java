package dev.weir.simulator;

import dev.weir.core.definition.FanOut;
import dev.weir.core.state.RunState;
import dev.weir.core.state.UnitId;
import dev.weir.simulator.Requirement.Pace;
import dev.weir.simulator.Requirement.Share;
import dev.weir.simulator.TraceState.Began;
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
    private static final Set<Coverage> STOPS = EnumSet.of(Coverage.RUN_PAUSED, Coverage.KEY_PAUSED, Coverage.KEY_HELD);

    private final TraceState tally;

    LimitReference(TraceState tally) {
        this.tally = tally;
    }

    /** The reservation of a ticket that was overtaken too often. */
    record Kept(UnitId unit, Requirement requirement) {}

    /**
     * All reservations: the capacity reserved for one ticket, and the space reserved in the windows of rates for
     * others, oldest first.
     */
    record Reservations(@Nullable Kept room, List<Kept> windows) {
        static final Reservations NONE = new Reservations(null, List.of());
    }

    Set<Coverage> refusals(UnitId unit, Requirement asked, Reservations kept, long now) {
        Set<Coverage> refusals = EnumSet.noneOf(Coverage.class);
        Kept room = kept.room;
        Kept other = room == null || room.unit.equals(unit) ? null : room;
        inRun(unit, asked, other, now, refusals);
        for (Share share : asked.shares()) {
            shared(share, other, now, refusals);
            boolean postpones = kept.windows.stream()
                    .takeWhile(window -> !window.unit.equals(unit))
                    .anyMatch(window -> postpones(share, window.requirement, now));
            add(refusals, postpones, Coverage.WINDOW_KEPT);
        }
        return refusals;
    }

    /** True if a start with this share now would delay the ticket for which space in windows is reserved. */
    private boolean postpones(Share share, Requirement kept, long now) {
        List<Began> starts = tally.began.getOrDefault(share.limit(), List.of());
        List<Began> more = new ArrayList<>(starts);
        more.add(new Began(now, share.cost()));
        for (Share other : kept.shares()) {
            if (other.limit().equals(share.limit()) && pace(other) != null) {
                return opensAt(kept, share.limit(), more, now) > opensAt(kept, share.limit(), starts, now);
            }
        }
        return false;
    }

    /**
     * The time at which the rates admit the ticket if nothing else starts. Only the times at which an earlier start
     * stops counting need checking.
     */
    private long opensAt(Requirement kept, String changed, List<Began> starts, long now) {
        SortedSet<Long> times = new TreeSet<>(Set.of(now));
        for (Share share : kept.shares()) {
            Pace pace = pace(share);
            if (pace != null) {
                for (Began began : startsOf(share.limit(), changed, starts)) {
                    if (began.at() + pace.period() > now) {
                        times.add(began.at() + pace.period());
                    }
                }
            }
        }
        for (long at : times) {
            boolean open = true;
            for (Share share : kept.shares()) {
                Pace pace = pace(share);
                open &= pace == null
                        || used(startsOf(share.limit(), changed, starts), pace, at) + share.cost() <= pace.count();
            }
            if (open) {
                return at;
            }
        }
        return Long.MAX_VALUE;
    }

    private List<Began> startsOf(String limit, String changed, List<Began> starts) {
        return limit.equals(changed) ? starts : tally.began.getOrDefault(limit, List.of());
    }

    Set<Coverage> runRefusals(RunFacts run, long now) {
        Set<Coverage> refusals = EnumSet.noneOf(Coverage.class);
        if (run.state == RunState.PAUSED) {
            refusals.add(Coverage.RUN_PAUSED);
        }
        for (Share share : run.requirement.shares()) {
            shared(share, null, now, refusals);
        }
        return refusals;
    }

    private void inRun(UnitId unit, Requirement asked, @Nullable Kept kept, long now, Set<Coverage> refusals) {
        RunFacts run = tally.run(unit);
        Requirement other = kept != null && kept.unit.run().equals(unit.run()) ? kept.requirement : null;
        int slots = asked.slots() + (other == null ? 0 : other.slots());
        int steps = 1 + (other == null ? 0 : 1);
        boolean exclusive = (asked.exclusive() && !run.running.isEmpty()) || (other != null && other.exclusive());
        for (UnitId running : run.running) {
            Requirement held = held(running);
            slots += held.slots();
            steps++;
            exclusive |= held.exclusive();
        }
        add(refusals, run.state == RunState.PAUSED, Coverage.RUN_PAUSED);
        add(refusals, exclusive, Coverage.RUN_EXCLUSIVE);
        Integer maxSteps = run.maxSteps(now);
        Integer maxSlots = run.maxSlots(now);
        add(refusals, maxSteps != null && steps > maxSteps, Coverage.RUN_STEPS);
        add(refusals, maxSlots != null && slots > maxSlots, Coverage.RUN_SLOTS);
        add(refusals, maxSlots != null && asked.slots() > maxSlots, Coverage.OVER_CAPACITY);
        add(refusals, tickIsFull(run, now), Coverage.RUN_TICK);
        add(refusals, fanOutIsFull(run, unit), Coverage.FAN_OUT);
    }

    private Requirement held(UnitId unit) {
        Requirement held = tally.holdings.get(unit);
        if (held == null) {
            throw new Violation("S5", unit + " runs without a claim");
        }
        return held;
    }

    /** The promise that a start breaks if these limits refuse it. */
    static String promise(Set<Coverage> refusals) {
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

    private static boolean tickIsFull(RunFacts run, long now) {
        Integer most = run.workflow.runLimits().maxStepsPerTick();
        if (most == null) {
            return false;
        }
        long tick = Requirements.micros(run.workflow.runLimits().tickInterval());
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

    private void shared(Share share, @Nullable Kept kept, long now, Set<Coverage> refusals) {
        String limit = share.limit();
        add(refusals, tally.pauses.containsKey(limit), Coverage.KEY_PAUSED);
        add(refusals, tally.holds.containsKey(limit), Coverage.KEY_HELD);
        int capacity = parallelism(share);
        long held = tally.held(limit);
        long room = Math.min(capacity, keptRoom(limit, kept));
        boolean lent = share.weight() == 0;
        add(refusals, !lent && held + share.weight() > room, capacityKind(limit));
        add(refusals, share.weight() > capacity, Coverage.OVER_CAPACITY);
        Pace pace = pace(share);
        if (pace != null) {
            add(refusals, used(limit, pace, now) + share.cost() > pace.count(), rateKind(limit, pace));
            add(refusals, share.cost() > pace.count(), Coverage.OVER_CAPACITY);
        }
    }

    private long keptRoom(String limit, @Nullable Kept kept) {
        if (kept == null) {
            return Long.MAX_VALUE;
        }
        for (Share other : kept.requirement.shares()) {
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

    private static Coverage rateKind(String limit, Pace pace) {
        if (isKey(limit)) {
            return pace.fixed() ? Coverage.KEY_RATE_FIXED : Coverage.KEY_RATE_SLIDING;
        }
        return Coverage.RUNS_PER_MINUTE;
    }

    private int parallelism(Share share) {
        Integer pinned = tally.pinnedParallelism(share.limit());
        return pinned == null ? share.parallelism() : pinned;
    }

    private @Nullable Pace pace(Share share) {
        Pace pinned = tally.pinnedPace(share.limit());
        return pinned == null ? share.pace() : pinned;
    }

    private long used(String limit, Pace pace, long now) {
        return used(tally.began.getOrDefault(limit, List.of()), pace, now);
    }

    private static long used(List<Began> starts, Pace pace, long now) {
        long from = pace.fixed() ? openedAt(starts, pace.period(), now) : now - pace.period() + 1;
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
