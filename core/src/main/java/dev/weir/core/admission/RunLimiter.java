package dev.weir.core.admission;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One run's own limits, its allocations under them, and the lanes that wait for it. */
public final class RunLimiter extends WaitPoint {
    /** Maximum lanes for a linear search. A run with more uses a map. */
    private static final int LINEAR_SEARCH_MAX = 8;

    private static final LimitId.Local[] LIMITS = LimitId.Local.values();

    private final RunLimitValues limits;
    private final long number;
    private final @Nullable TickCounter tickCounter;
    private final boolean startOnly;
    private @Nullable Lane firstLane;
    private int laneCount;
    /** The lane where the next claim of chosen steps begins; null for the first. */
    private @Nullable Lane cursor;

    /** The lanes by their spec; null while they are few. */
    private @Nullable Map<TicketSpec, Lane> lanesBySpec;

    private @Nullable List<ParkedLanes> parkedGroups;
    /** Number of lanes parked here. */
    private int parkedCount;

    /** The claims in flight; null until the first one. */
    @Nullable
    RunAllocations allocations;

    private @Nullable RunOverrides overrides;
    private boolean paused;
    private @Nullable Ticket reservedFor;

    /** @param startOnly true if only the start of a run queues here: it can be paused, and a grant counts nowhere */
    RunLimiter(RunLimitValues limits, long number, long startedAt, boolean startOnly) {
        this.limits = limits;
        this.number = number;
        this.startOnly = startOnly;
        this.tickCounter =
                limits.stepsPerTick() == RunLimitValues.UNLIMITED ? null : new TickCounter(limits, startedAt);
    }

    /** The limiter that counts a grant made here; null if none does. */
    @Nullable
    RunLimiter countingLimiter() {
        return startOnly ? null : this;
    }

    private int maxSteps(long now) {
        Integer own = overrides == null ? null : overrides.maxSteps().at(now);
        return own == null ? limits.maxSteps() : own;
    }

    private int maxSlots(long now) {
        Integer own = overrides == null ? null : overrides.maxSlots().at(now);
        return own == null ? limits.maxSlots() : own;
    }

    /** The subjects in flight, oldest grant first. */
    public List<Subject> running() {
        return allocations == null ? List.of() : allocations.subjects(Integer.MAX_VALUE);
    }

    /** The first subjects in flight that belong to a fan-out, at most {@code max}. */
    List<Subject> running(FanOutLimit fanOut, int max) {
        return allocations == null ? List.of() : allocations.subjects(fanOut, max);
    }

    @Override
    long order() {
        return number;
    }

    @Nullable
    Lane firstLane() {
        return firstLane;
    }

    void addLane(Lane lane) {
        if (firstLane != null) {
            firstLane.previous = lane;
        }
        lane.next = firstLane;
        firstLane = lane;
        laneCount++;
        if (lanesBySpec != null) {
            lanesBySpec.put(lane.spec, lane);
        } else if (laneCount > LINEAR_SEARCH_MAX) {
            lanesBySpec = new HashMap<>();
            for (Lane at = firstLane; at != null; at = at.next) {
                lanesBySpec.put(at.spec, at);
            }
        }
    }

    void removeLane(Lane lane) {
        Lane before = lane.previous;
        Lane after = lane.next;
        if (lane == cursor) {
            cursor = after;
        }
        if (before == null) {
            firstLane = after;
        } else {
            before.next = after;
        }
        if (after != null) {
            after.previous = before;
        }
        laneCount--;
        if (laneCount == 0) {
            lanesBySpec = null;
        } else if (lanesBySpec != null) {
            lanesBySpec.remove(lane.spec);
        }
    }

    /** Returns the next {@code max} lanes after those of the last call, or all lanes if they are fewer. */
    List<Lane> nextLanes(int max) {
        List<Lane> next = new ArrayList<>(Math.min(max, laneCount));
        Lane lane = cursor == null ? firstLane : cursor;
        for (int i = Math.min(max, laneCount); i > 0 && lane != null; i--) {
            next.add(lane);
            lane = lane.next == null ? firstLane : lane.next;
        }
        cursor = laneCount > max ? lane : null;
        return next;
    }

    @Nullable
    Lane findLane(TicketSpec spec) {
        if (lanesBySpec != null) {
            return lanesBySpec.get(spec);
        }
        for (Lane lane = firstLane; lane != null; lane = lane.next) {
            if (lane.spec.equals(spec)) {
                return lane;
            }
        }
        return null;
    }

    /**
     * Judges a demand by the run's own limits; the first that refuses it decides.
     *
     * @param ownsReservation true if the reservation belongs to the ticket that asks
     */
    Verdict judge(TicketSpec.RunDemand demand, boolean ownsReservation, long now) {
        for (LimitId.Local limit : LIMITS) {
            if (judge(limit, demand, ownsReservation, now) instanceof HoldCause cause) {
                return Verdict.HeldByRun.of(limit, cause);
            }
        }
        return isFanOutClosed(demand) ? Verdict.Closed.INSTANCE : Verdict.Admit.INSTANCE;
    }

    /** True if the item's fan-out is closed. */
    private static boolean isFanOutClosed(TicketSpec.RunDemand demand) {
        return demand.fanOut() != null && demand.fanOut().isClosed();
    }

    /** Judges a ticket. If its lane was parked before, the lane's group records the verdict. */
    Verdict judge(Ticket ticket, long now) {
        Verdict verdict = judge(ticket.lane().spec.runDemand(), ticket == reservedFor, now);
        if (ticket.lane().parkedGroup != null) {
            recordVerdict(ticket.lane().parkedGroup, verdict, now);
        }
        return verdict;
    }

    private static void recordVerdict(ParkedLanes parkedGroup, Verdict verdict, long now) {
        if (verdict instanceof Verdict.HeldByRun held) {
            parkedGroup.recordRefusal(held.hold());
        } else {
            parkedGroup.recordFreed(now);
        }
    }

    /** Judges a demand by one of the run's own limits. */
    LimitVerdict judge(LimitId.Local limit, TicketSpec.RunDemand demand, boolean ownsReservation, long now) {
        return switch (limit) {
            case RUN -> LimitVerdict.refuseIf(paused, HoldCause.PAUSED);
            case RUN_EXCLUSIVE -> judgeExclusive(demand, ownsReservation, now);
            case RUN_STEPS -> judgeCapacity(inFlight(now), 1, maxSteps(now), ownsReservation ? 0 : reservedSteps());
            case RUN_SLOTS ->
                judgeCapacity(slots(now), demand.slots(), maxSlots(now), ownsReservation ? 0 : reservedSlots());
            case RUN_TICK -> LimitVerdict.refuseIf(tickCounter != null && tickCounter.isFull(now), HoldCause.RATE);
            case FAN_OUT -> LimitVerdict.refuseIf(fanOutIsFull(demand.fanOut(), now), HoldCause.CAPACITY);
        };
    }

    private int inFlight(long now) {
        return allocations == null ? 0 : allocations.refreshedAt(now).inFlight;
    }

    private int slots(long now) {
        return allocations == null ? 0 : allocations.refreshedAt(now).slots;
    }

    private boolean fanOutIsFull(@Nullable FanOutLimit fanOut, long now) {
        return fanOut != null
                && allocations != null
                && allocations.refreshedAt(now).isFull(fanOut);
    }

    private LimitVerdict judgeExclusive(TicketSpec.RunDemand demand, boolean ownsReservation, long now) {
        if (isTakenExclusively(demand, now)) {
            return HoldCause.CAPACITY;
        }
        boolean reservedExclusive = !ownsReservation
                && reservedFor != null
                && reservedFor.lane().spec.runDemand().exclusive();
        return LimitVerdict.refuseIf(reservedExclusive, HoldCause.RESERVED);
    }

    /** True if an exclusive step is in flight, or any step is and the demand is exclusive. */
    private boolean isTakenExclusively(TicketSpec.RunDemand demand, long now) {
        boolean held = allocations != null && allocations.refreshedAt(now).exclusive;
        return held || (demand.exclusive() && inFlight(now) > 0);
    }

    private static LimitVerdict judgeCapacity(int used, int requested, int capacity, int reserved) {
        if (requested > capacity) {
            return HoldCause.OVER_CAPACITY;
        }
        if (used > capacity - requested) {
            return HoldCause.CAPACITY;
        }
        return LimitVerdict.refuseIf(used > capacity - requested - reserved, HoldCause.RESERVED);
    }

    private int reservedSteps() {
        return reservedFor == null ? 0 : 1;
    }

    private int reservedSlots() {
        return reservedFor == null ? 0 : reservedFor.lane().spec.runDemand().slots();
    }

    /** Takes the allocation's share of the run's limits. Returns its index among the run's allocations. */
    int acquire(Allocation allocation, long now) {
        countStart(now);
        return allocate(allocation);
    }

    void countStart(long at) {
        if (tickCounter != null) {
            tickCounter.countStart(at);
        }
    }

    int allocate(Allocation allocation) {
        if (allocations == null) {
            allocations = new RunAllocations(allocation.grantedAt());
        }
        return allocations.allocate(allocation);
    }

    /** Releases what the allocation took. Returns the allocation that moved to its index, if any. */
    @Nullable
    Allocation release(Allocation allocation, int index) {
        if (allocations == null) {
            return null;
        }
        allocations.release(allocation);
        return allocations.remove(index);
    }

    void countOpenEnded(Allocation allocation, boolean on) {
        if (allocations != null) {
            allocations.countOpenEnded(allocation, on);
        }
    }

    /** True if the run would have room for this demand after every predictable release. */
    boolean willFit(TicketSpec.RunDemand demand, long now) {
        return allocations == null || allocations.willFit(demand, maxSteps(now), maxSlots(now));
    }

    /** Parks a lane in its group, and returns the group. */
    ParkedLanes park(Lane lane, long now) {
        if (lane.parkedGroup == null) {
            lane.parkedGroup = parkedGroupFor(lane);
            Ticket head = lane.head();
            recordVerdict(lane.parkedGroup, judge(head.lane().spec.runDemand(), head == reservedFor, now), now);
        }
        lane.parkedGroup.lanes.add(lane);
        parkedCount++;
        return lane.parkedGroup;
    }

    private ParkedLanes parkedGroupFor(Lane lane) {
        if (parkedGroups == null) {
            parkedGroups = new ArrayList<>(1);
        }
        for (ParkedLanes parkedGroup : parkedGroups) {
            if (parkedGroup.matches(lane)) {
                return parkedGroup;
            }
        }
        var parkedGroup = new ParkedLanes(this, lane);
        parkedGroups.add(parkedGroup);
        return parkedGroup;
    }

    void unpark(Lane lane) {
        lane.parkedGroup().lanes.remove(lane);
        parkedCount--;
    }

    /** Moves a parked lane to where its new oldest ticket belongs; returns its group. */
    ParkedLanes rerank(Lane lane) {
        lane.parkedGroup().lanes.update(lane);
        return lane.parkedGroup();
    }

    List<ParkedLanes> parkedGroups() {
        return parkedGroups == null ? List.of() : parkedGroups;
    }

    boolean hasParkedLanes() {
        return parkedCount > 0;
    }

    /** True if the run has changed and parked lanes wait to be judged. A new ticket then waits with them. */
    boolean isContended(long now) {
        return parkedCount > 0 && hasChanged(now);
    }

    /** The best parked lane that the run has room for. */
    @Nullable
    Lane bestAdmissible(long now) {
        Lane best = null;
        for (ParkedLanes parkedGroup : parkedGroups()) {
            Lane lane = parkedGroup.representative == null ? parkedGroup.lanes.peek() : null;
            if (lane != null && judge(lane.head(), now).admits() && (best == null || lane.isBefore(best))) {
                best = lane;
            }
        }
        return best;
    }

    /** The time of the next change by itself: the tick after a full one begins, or a temporary value ends. */
    long nextChange(long now) {
        long tick = tickCounter != null && tickCounter.isFull(now) ? tickCounter.nextTickAt(now) : Moment.NEVER;
        return overrides == null ? tick : Math.min(tick, overrides.nextChange(now));
    }

    /** The time of the tick into which the {@code nth} start from now falls, if only ticks hold it. */
    long nthTickAt(long nth, long now) {
        return tickCounter == null ? now : tickCounter.nthFitsAt(nth, now);
    }

    void reserveFor(@Nullable Ticket ticket) {
        reservedFor = ticket;
    }

    void setPaused(boolean on) {
        paused = on;
    }

    void setOverrides(@Nullable RunOverrides values) {
        overrides = values;
    }

    /** The usage and the capacity of one of the run's limits. */
    Explanation.Usage usage(LimitId.Local limit, TicketSpec.RunDemand demand, long now) {
        return switch (limit) {
            case RUN -> new Explanation.Usage(inFlight(now), RunLimitValues.UNLIMITED);
            case RUN_EXCLUSIVE -> new Explanation.Usage(inFlight(now), 1);
            case RUN_STEPS -> new Explanation.Usage(inFlight(now), maxSteps(now));
            case RUN_SLOTS -> new Explanation.Usage(slots(now), maxSlots(now));
            case RUN_TICK ->
                new Explanation.Usage(tickCounter == null ? 0 : tickCounter.starts(now), limits.stepsPerTick());
            case FAN_OUT -> usage(demand.fanOut(), now);
        };
    }

    private Explanation.Usage usage(@Nullable FanOutLimit fanOut, long now) {
        int items = fanOut == null || allocations == null
                ? 0
                : allocations.refreshedAt(now).inFlight(fanOut);
        return new Explanation.Usage(items, fanOut == null ? RunLimitValues.UNLIMITED : fanOut.concurrency());
    }

    @Override
    public String toString() {
        return "run " + number;
    }
}
