package dev.weir.core.admission;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One run's own limits, what it holds of them, and the lanes that wait for it. */
public final class RunGate extends Place {
    /** Lanes that are searched one by one; more of them are looked up. */
    private static final int LANES_SEARCHED_MAX = 8;

    private static final LimitId.Local[] LIMITS = LimitId.Local.values();

    private final RunLimits limits;
    private final long number;
    private final @Nullable Ticks ticks;
    private final boolean entrance;
    private @Nullable Lane firstLane;
    private int lanes;
    /** The lane that is looked at next by those who choose among them; the first if absent. */
    private @Nullable Lane cursor;

    /** The lanes by what they ask for, where they are many. */
    private @Nullable Map<TicketSpec, Lane> laneOf;

    private @Nullable List<Shelf> shelves;
    /** Lanes that are parked here. */
    private int parked;

    private @Nullable Holders holders;
    private @Nullable Overrides overrides;
    private int inFlight;
    private int slots;
    /** Those in flight of whom nobody knows when they will end, and their slots. */
    private int resting;

    private int restingSlots;
    private boolean exclusiveHeld;
    private boolean paused;
    private @Nullable Ticket reservedFor;

    /** @param entrance whether a run only comes in here: it can be paused, and what is granted counts nowhere */
    RunGate(RunLimits limits, long number, long startedAt, boolean entrance) {
        this.limits = limits;
        this.number = number;
        this.entrance = entrance;
        this.ticks = limits.stepsPerTick() == RunLimits.UNLIMITED ? null : new Ticks(limits, startedAt);
    }

    /** Where that counts which is granted here, if anywhere. */
    @Nullable
    RunGate held() {
        return entrance ? null : this;
    }

    /** An operator's values; a null leaves the definition's in force. */
    public record Overrides(
            @Nullable Integer maxSteps, @Nullable Integer maxSlots) {
        public Overrides {
            if ((maxSteps != null && maxSteps < 1) || (maxSlots != null && maxSlots < 1)) {
                throw new IllegalArgumentException("an override must be at least 1, found max steps " + maxSteps
                        + ", max slots " + maxSlots + "; to stop a run, pause it");
            }
        }
    }

    private int maxSteps() {
        return overrides == null || overrides.maxSteps() == null ? limits.maxSteps() : overrides.maxSteps();
    }

    private int maxSlots() {
        return overrides == null || overrides.maxSlots() == null ? limits.maxSlots() : overrides.maxSlots();
    }

    /** The subjects in flight, oldest grant first. */
    public List<Subject> running() {
        return holders == null ? List.of() : holders.subjects(Integer.MAX_VALUE);
    }

    /** Those of a fan-out, the first of them only. */
    List<Subject> running(FanOut fanOut, int most) {
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

    /** All lanes, or so many of them after those of the last time. */
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

    /** The first of the run's limits that refuses; {@code self} tells whether the room is kept for this very ticket. */
    @Nullable
    Refusal refusal(TicketSpec.Local demand, boolean self, long now) {
        for (LimitId.Local limit : LIMITS) {
            Cause cause = cause(limit, demand, self, now);
            if (cause != null) {
                return new Refusal(limit, cause);
            }
        }
        return null;
    }

    boolean admits(TicketSpec.Local demand, boolean self, long now) {
        return !closed(demand) && refusal(demand, self, now) == null;
    }

    /** Whether it is an item of those that are taken out: that is no limit, and nothing that anything waited for. */
    private static boolean closed(TicketSpec.Local demand) {
        return demand.fanOut() != null && demand.fanOut().closed();
    }

    /** Whether the run has room for a ticket; where its lane was parked before, it is remembered what refuses it. */
    boolean admits(Ticket ticket, long now) {
        TicketSpec.Local demand = ticket.lane().spec.local();
        Refusal refusal = refusal(ticket, now);
        if (ticket.lane().shelf != null) {
            note(ticket.lane().shelf, refusal, now);
        }
        return refusal == null && !closed(demand);
    }

    private @Nullable Refusal refusal(Ticket ticket, long now) {
        return refusal(ticket.lane().spec.local(), ticket == reservedFor, now);
    }

    private static void note(Shelf shelf, @Nullable Refusal refusal, long now) {
        if (refusal == null) {
            shelf.freed(now);
        } else {
            shelf.refused(refusal);
        }
    }

    @Nullable
    Cause cause(LimitId.Local limit, TicketSpec.Local demand, boolean self, long now) {
        return switch (limit) {
            case RUN -> paused ? Cause.PAUSED : null;
            case RUN_EXCLUSIVE -> exclusiveCause(demand, self);
            case RUN_STEPS -> capacityCause(inFlight, 1, maxSteps(), self ? 0 : reservedSteps());
            case RUN_SLOTS -> capacityCause(slots, demand.slots(), maxSlots(), self ? 0 : reservedSlots());
            case RUN_TICK -> ticks != null && ticks.full(now) ? Cause.RATE : null;
            case FAN_OUT -> demand.fanOut() != null && demand.fanOut().full() ? Cause.CAPACITY : null;
        };
    }

    private @Nullable Cause exclusiveCause(TicketSpec.Local demand, boolean self) {
        if (exclusiveHeld || (demand.exclusive() && inFlight > 0)) {
            return Cause.CAPACITY;
        }
        boolean kept =
                !self && reservedFor != null && reservedFor.lane().spec.local().exclusive();
        return kept ? Cause.RESERVED : null;
    }

    private static @Nullable Cause capacityCause(int used, int asked, int capacity, int reserved) {
        if (asked > capacity) {
            return Cause.OVER_CAPACITY;
        }
        if (used > capacity - asked) {
            return Cause.CAPACITY;
        }
        return used > capacity - asked - reserved ? Cause.RESERVED : null;
    }

    private int reservedSteps() {
        return reservedFor == null ? 0 : 1;
    }

    private int reservedSlots() {
        return reservedFor == null ? 0 : reservedFor.lane().spec.local().slots();
    }

    /** Takes what the holding asks of the run; returns its place among the holders. */
    int take(Holding holding, long now) {
        countStart(now);
        return hold(holding);
    }

    void countStart(long at) {
        if (ticks != null) {
            ticks.count(at);
        }
    }

    int hold(Holding holding) {
        inFlight++;
        slots += holding.local().slots();
        exclusiveHeld |= holding.local().exclusive();
        if (holding.local().fanOut() != null) {
            holding.local().fanOut().take();
        }
        if (holders == null) {
            holders = new Holders();
        }
        return holders.add(holding);
    }

    /** Gives back what the holding took; returns the holder that has moved to its place, if any. */
    @Nullable
    Holding giveBack(Holding holding, int place) {
        inFlight--;
        slots -= holding.local().slots();
        if (holding.local().exclusive()) {
            exclusiveHeld = false;
        }
        if (holding.local().fanOut() != null) {
            holding.local().fanOut().release();
        }
        return holders == null ? null : holders.remove(place);
    }

    void rest(Holding holding, boolean on) {
        resting += on ? 1 : -1;
        restingSlots += on ? holding.local().slots() : -holding.local().slots();
    }

    /** Whether the run would have room for this if all had ended who will. */
    boolean willFit(TicketSpec.Local demand) {
        return resting == 0
                || (!demand.exclusive() && resting < maxSteps() && demand.slots() <= maxSlots() - restingSlots);
    }

    /** Puts a lane on its shelf, and returns that. */
    Shelf park(Lane lane, long now) {
        if (lane.shelf == null) {
            lane.shelf = shelfFor(lane);
            note(lane.shelf, refusal(lane.head(), now), now);
        }
        lane.shelf.lanes.add(lane);
        parked++;
        return lane.shelf;
    }

    private Shelf shelfFor(Lane lane) {
        if (shelves == null) {
            shelves = new ArrayList<>(1);
        }
        for (Shelf shelf : shelves) {
            if (shelf.suits(lane)) {
                return shelf;
            }
        }
        var shelf = new Shelf(this, lane);
        shelves.add(shelf);
        return shelf;
    }

    void unpark(Lane lane) {
        lane.shelf().lanes.remove(lane);
        parked--;
    }

    /** Puts a parked lane where its new oldest ticket belongs; returns its shelf. */
    Shelf rerank(Lane lane) {
        lane.shelf().lanes.update(lane);
        return lane.shelf();
    }

    List<Shelf> shelves() {
        return shelves == null ? List.of() : shelves;
    }

    boolean hasParked() {
        return parked > 0;
    }

    /** Whether it has changed, and lanes wait here to be looked at: who comes now waits with them. */
    boolean contended(long now) {
        return parked > 0 && changed(now);
    }

    /** The best parked lane that the run has room for. */
    @Nullable
    Lane bestOpen(long now) {
        Lane best = null;
        for (Shelf shelf : shelves()) {
            Lane lane = shelf.scout == null ? shelf.lanes.peek() : null;
            if (lane != null && admits(lane.head(), now) && (best == null || lane.before(best))) {
                best = lane;
            }
        }
        return best;
    }

    /** When the run changes by itself: when its next tick begins, if this one is used up. */
    long nextChange(long now) {
        return ticks != null && ticks.full(now) ? ticks.next(now) : Moment.NEVER;
    }

    /** When the {@code nth} start from now on falls into a tick, if nothing but ticks held it. */
    long nthTickAt(long nth, long now) {
        return ticks == null ? now : ticks.nthFitsAt(nth, now);
    }

    void reserveFor(@Nullable Ticket ticket) {
        reservedFor = ticket;
    }

    void pause(boolean on) {
        paused = on;
    }

    void override(@Nullable Overrides values) {
        overrides = values;
    }

    /** How much of a limit is used, and how much there is. */
    Explanation.Usage usage(LimitId.Local limit, TicketSpec.Local demand, long now) {
        return switch (limit) {
            case RUN -> new Explanation.Usage(inFlight, RunLimits.UNLIMITED);
            case RUN_EXCLUSIVE -> new Explanation.Usage(inFlight, 1);
            case RUN_STEPS -> new Explanation.Usage(inFlight, maxSteps());
            case RUN_SLOTS -> new Explanation.Usage(slots, maxSlots());
            case RUN_TICK -> new Explanation.Usage(ticks == null ? 0 : ticks.starts(now), limits.stepsPerTick());
            case FAN_OUT ->
                demand.fanOut() == null
                        ? new Explanation.Usage(0, RunLimits.UNLIMITED)
                        : new Explanation.Usage(
                                demand.fanOut().inFlight(), demand.fanOut().concurrency());
        };
    }

    @Override
    public String toString() {
        return "run " + number;
    }
}
