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
    private static final int LANES_SEARCHED_MAX = 8;

    private static final LimitId.Local[] LIMITS = LimitId.Local.values();

    private final RunLimitValues limits;
    private final long number;
    private final @Nullable TickCounter ticks;
    private final boolean entrance;
    private @Nullable Lane firstLane;
    private int lanes;
    /** The lane where the next claim of chosen steps begins; null for the first. */
    private @Nullable Lane cursor;

    /** The lanes by their spec; null while they are few. */
    private @Nullable Map<TicketSpec, Lane> laneOf;

    private @Nullable List<ParkedLanes> shelves;
    /** Number of lanes parked here. */
    private int parked;

    /** The claims in flight; null until the first one. */
    @Nullable
    RunAllocations holders;

    private @Nullable RunOverrides overrides;
    private boolean paused;
    private @Nullable Ticket reservedFor;

    /** @param entrance true if only the start of a run queues here: it can be paused, and a grant counts nowhere */
    RunLimiter(RunLimitValues limits, long number, long startedAt, boolean entrance) {
        this.limits = limits;
        this.number = number;
        this.entrance = entrance;
        this.ticks = limits.stepsPerTick() == RunLimitValues.UNLIMITED ? null : new TickCounter(limits, startedAt);
    }

    /** The limiter that counts a grant made here; null if none does. */
    @Nullable
    RunLimiter held() {
        return entrance ? null : this;
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
        return holders == null ? List.of() : holders.subjects(Integer.MAX_VALUE);
    }

    /** The first subjects in flight that belong to a fan-out, at most {@code most}. */
    List<Subject> running(FanOutLimit fanOut, int most) {
        return holders == null ? List.of() : holders.subjects(fanOut, most);
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
        lanes++;
        if (laneOf != null) {
            laneOf.put(lane.spec, lane);
        } else if (lanes > LANES_SEARCHED_MAX) {
            laneOf = new HashMap<>();
            for (Lane at = firstLane; at != null; at = at.next) {
                laneOf.put(at.spec, at);
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
        lanes--;
        if (lanes == 0) {
            laneOf = null;
        } else if (laneOf != null) {
            laneOf.remove(lane.spec);
        }
    }

    /** Returns the next {@code most} lanes after those of the last call, or all lanes if they are fewer. */
    List<Lane> nextLanes(int most) {
        List<Lane> next = new ArrayList<>(Math.min(most, lanes));
        Lane lane = cursor == null ? firstLane : cursor;
        for (int i = Math.min(most, lanes); i > 0 && lane != null; i--) {
            next.add(lane);
            lane = lane.next == null ? firstLane : lane.next;
        }
        cursor = lanes > most ? lane : null;
        return next;
    }

    @Nullable
    Lane findLane(TicketSpec spec) {
        if (laneOf != null) {
            return laneOf.get(spec);
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
     * @param self true if the reservation belongs to the ticket that asks
     */
    Verdict judge(TicketSpec.Local demand, boolean self, long now) {
        for (LimitId.Local limit : LIMITS) {
            HoldCause cause = cause(limit, demand, self, now);
            if (cause != null) {
                return Verdict.HeldByRun.of(limit, cause);
            }
        }
        return closed(demand) ? Verdict.Closed.INSTANCE : Verdict.Admit.INSTANCE;
    }

    /** True if the item's fan-out is closed. */
    private static boolean closed(TicketSpec.Local demand) {
        return demand.fanOut() != null && demand.fanOut().closed();
    }

    /** Judges a ticket. If its lane was parked before, the lane's group records the verdict. */
    Verdict judge(Ticket ticket, long now) {
        Verdict verdict = judge(ticket.lane().spec.local(), ticket == reservedFor, now);
        if (ticket.lane().shelf != null) {
            note(ticket.lane().shelf, verdict, now);
        }
        return verdict;
    }

    private static void note(ParkedLanes shelf, Verdict verdict, long now) {
        if (verdict instanceof Verdict.HeldByRun held) {
            shelf.refused(held.hold());
        } else {
            shelf.freed(now);
        }
    }

    @Nullable
    HoldCause cause(LimitId.Local limit, TicketSpec.Local demand, boolean self, long now) {
        return switch (limit) {
            case RUN -> paused ? HoldCause.PAUSED : null;
            case RUN_EXCLUSIVE -> exclusiveCause(demand, self, now);
            case RUN_STEPS -> capacityCause(inFlight(now), 1, maxSteps(now), self ? 0 : reservedSteps());
            case RUN_SLOTS -> capacityCause(slots(now), demand.slots(), maxSlots(now), self ? 0 : reservedSlots());
            case RUN_TICK -> ticks != null && ticks.full(now) ? HoldCause.RATE : null;
            case FAN_OUT -> fanOutIsFull(demand.fanOut(), now) ? HoldCause.CAPACITY : null;
        };
    }

    private int inFlight(long now) {
        return holders == null ? 0 : holders.at(now).inFlight;
    }

    private int slots(long now) {
        return holders == null ? 0 : holders.at(now).slots;
    }

    private boolean fanOutIsFull(@Nullable FanOutLimit fanOut, long now) {
        return fanOut != null && holders != null && holders.at(now).full(fanOut);
    }

    private @Nullable HoldCause exclusiveCause(TicketSpec.Local demand, boolean self, long now) {
        boolean held = holders != null && holders.at(now).exclusive;
        if (held || (demand.exclusive() && inFlight(now) > 0)) {
            return HoldCause.CAPACITY;
        }
        boolean kept =
                !self && reservedFor != null && reservedFor.lane().spec.local().exclusive();
        return kept ? HoldCause.RESERVED : null;
    }

    private static @Nullable HoldCause capacityCause(int used, int asked, int capacity, int reserved) {
        if (asked > capacity) {
            return HoldCause.OVER_CAPACITY;
        }
        if (used > capacity - asked) {
            return HoldCause.CAPACITY;
        }
        return used > capacity - asked - reserved ? HoldCause.RESERVED : null;
    }

    private int reservedSteps() {
        return reservedFor == null ? 0 : 1;
    }

    private int reservedSlots() {
        return reservedFor == null ? 0 : reservedFor.lane().spec.local().slots();
    }

    /** Takes the allocation's share of the run's limits. Returns its index among the run's allocations. */
    int take(Allocation holding, long now) {
        countStart(now);
        return hold(holding);
    }

    void countStart(long at) {
        if (ticks != null) {
            ticks.count(at);
        }
    }

    int hold(Allocation holding) {
        if (holders == null) {
            holders = new RunAllocations(holding.grantedAt());
        }
        return holders.hold(holding);
    }

    /** Releases what the allocation took. Returns the allocation that moved to its index, if any. */
    @Nullable
    Allocation giveBack(Allocation holding, int place) {
        if (holders == null) {
            return null;
        }
        holders.giveBack(holding);
        return holders.remove(place);
    }

    void rest(Allocation holding, boolean on) {
        if (holders != null) {
            holders.rest(holding, on);
        }
    }

    /** True if the run would have room for this demand after every predictable release. */
    boolean willFit(TicketSpec.Local demand, long now) {
        return holders == null || holders.willFit(demand, maxSteps(now), maxSlots(now));
    }

    /** Parks a lane in its group, and returns the group. */
    ParkedLanes park(Lane lane, long now) {
        if (lane.shelf == null) {
            lane.shelf = shelfFor(lane);
            Ticket head = lane.head();
            note(lane.shelf, judge(head.lane().spec.local(), head == reservedFor, now), now);
        }
        lane.shelf.lanes.add(lane);
        parked++;
        return lane.shelf;
    }

    private ParkedLanes shelfFor(Lane lane) {
        if (shelves == null) {
            shelves = new ArrayList<>(1);
        }
        for (ParkedLanes shelf : shelves) {
            if (shelf.suits(lane)) {
                return shelf;
            }
        }
        var shelf = new ParkedLanes(this, lane);
        shelves.add(shelf);
        return shelf;
    }

    void unpark(Lane lane) {
        lane.shelf().lanes.remove(lane);
        parked--;
    }

    /** Moves a parked lane to where its new oldest ticket belongs; returns its group. */
    ParkedLanes rerank(Lane lane) {
        lane.shelf().lanes.update(lane);
        return lane.shelf();
    }

    List<ParkedLanes> shelves() {
        return shelves == null ? List.of() : shelves;
    }

    boolean hasParked() {
        return parked > 0;
    }

    /** True if the run has changed and parked lanes wait to be judged. A new ticket then waits with them. */
    boolean contended(long now) {
        return parked > 0 && changed(now);
    }

    /** The best parked lane that the run has room for. */
    @Nullable
    Lane bestOpen(long now) {
        Lane best = null;
        for (ParkedLanes shelf : shelves()) {
            Lane lane = shelf.scout == null ? shelf.lanes.peek() : null;
            if (lane != null && judge(lane.head(), now).admits() && (best == null || lane.before(best))) {
                best = lane;
            }
        }
        return best;
    }

    /** The time of the next change by itself: the tick after a full one begins, or a temporary value ends. */
    long nextChange(long now) {
        long tick = ticks != null && ticks.full(now) ? ticks.next(now) : Moment.NEVER;
        return overrides == null ? tick : Math.min(tick, overrides.nextChange(now));
    }

    /** The time of the tick into which the {@code nth} start from now falls, if only ticks hold it. */
    long nthTickAt(long nth, long now) {
        return ticks == null ? now : ticks.nthFitsAt(nth, now);
    }

    void reserveFor(@Nullable Ticket ticket) {
        reservedFor = ticket;
    }

    void pause(boolean on) {
        paused = on;
    }

    void override(@Nullable RunOverrides values) {
        overrides = values;
    }

    /** The usage and the capacity of one of the run's limits. */
    Explanation.Usage usage(LimitId.Local limit, TicketSpec.Local demand, long now) {
        return switch (limit) {
            case RUN -> new Explanation.Usage(inFlight(now), RunLimitValues.UNLIMITED);
            case RUN_EXCLUSIVE -> new Explanation.Usage(inFlight(now), 1);
            case RUN_STEPS -> new Explanation.Usage(inFlight(now), maxSteps(now));
            case RUN_SLOTS -> new Explanation.Usage(slots(now), maxSlots(now));
            case RUN_TICK -> new Explanation.Usage(ticks == null ? 0 : ticks.starts(now), limits.stepsPerTick());
            case FAN_OUT -> usage(demand.fanOut(), now);
        };
    }

    private Explanation.Usage usage(@Nullable FanOutLimit fanOut, long now) {
        int items = fanOut == null || holders == null ? 0 : holders.at(now).inFlight(fanOut);
        return new Explanation.Usage(items, fanOut == null ? RunLimitValues.UNLIMITED : fanOut.concurrency());
    }

    @Override
    public String toString() {
        return "run " + number;
    }
}
