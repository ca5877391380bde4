package dev.weir.core.admission;

import dev.weir.core.heap.IndexedHeap;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import dev.weir.core.limit.Rate;
import dev.weir.core.limit.RateUsage;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts the tickets of a module that lack only a worker: those that would start if enough workers polled for it. A
 * class whose head may start can have a thousand tickets and room for two, so the room of its limits and of its runs is
 * divided among them. It changes nothing and examines a bounded number of classes and runs; if there are more, it
 * assumes that the rest is like the examined ones.
 */
final class ReadyCount {
    private final ModuleQueue module;
    private final long now;
    private int visitsLeft;
    /** The room that counted tickets would take, by limit, run and fan-out. */
    private final Map<Object, Taken> taken = new HashMap<>();

    private final HeldCounts held = new HeldCounts(null);
    private long ready;
    private long oldestSince = ModuleSnapshot.NONE_READY;
    /** Tickets of admissible classes that were examined. */
    private long examined;

    /** The part of a limit, run or fan-out that counted tickets would take. */
    private static final class Taken {
        private long weight;
        private long cost;
        private boolean exclusive;
    }

    /** The number of tickets that fit, and the kind of limit that admits no more. */
    private record Room(long tickets, HoldKind kind) {
        private Room smaller(Room other) {
            return other.tickets < tickets ? other : this;
        }
    }

    private ReadyCount(ModuleQueue module, int visitsMax, long now) {
        this.module = module;
        this.visitsLeft = visitsMax;
        this.now = now;
    }

    /** Returns the state of a module. {@code visitsMax} bounds the classes and runs that are examined. */
    static ModuleSnapshot snapshot(ModuleQueue module, int visitsMax, long now) {
        return new ReadyCount(module, visitsMax, now).count();
    }

    private ModuleSnapshot count() {
        for (HoldKind kind : HoldKind.values()) {
            held.add(kind, module.held.of(kind));
        }
        long admissible = (long) module.waitingCount - held.sum();
        for (int i = 0; i < module.admissible.size() && visitsLeft > 0; i++) {
            countWithGroups(module.admissible.at(i));
        }
        if (examined > 0 && examined < admissible) {
            ready += (long) ((double) ready / examined * (admissible - examined));
        }
        return new ModuleSnapshot(
                module.name, module.waitingCount, ready, oldestSince, held.nonZero(), module.runningCount);
    }

    /** Counts an admissible class, and the parked ones that are not judged because it stands for them. */
    private void countWithGroups(TicketClass ticketClass) {
        examined += ticketClass.eligibleCount;
        countOffers(ticketClass);
        ParkedClasses group = ticketClass.represents;
        for (int i = 0; group != null && i < group.classes.size() && visitsLeft > 0; i++) {
            TicketClass parked = group.classes.at(i);
            held.add(group.holdKind(), -parked.eligibleCount);
            countOffers(parked);
        }
        for (ParkedLanes lanes : ticketClass.watchers()) {
            countLanes(lanes);
        }
    }

    /** Counts the tickets of a class whose runs have room for at least one of them. */
    private void countOffers(TicketClass ticketClass) {
        visitsLeft--;
        Room shared = sharedRoom(ticketClass);
        long seen = 0;
        long started = 0;
        IndexedHeap<Ticket> late = ticketClass.offers.late();
        for (int i = 0; late != null && i < late.size() && started < shared.tickets && visitsLeft > 0; i++) {
            seen += late.at(i).lane().size();
            started += countLane(late.at(i).lane(), shared.tickets - started, shared.kind);
        }
        Ticket offer = ticketClass.offers.firstInOrder();
        for (; offer != null && started < shared.tickets && visitsLeft > 0; offer = offer.next) {
            seen += offer.lane().size();
            started += countLane(offer.lane(), shared.tickets - started, shared.kind);
        }
        long rest = ticketClass.eligibleCount - seen;
        long restStarted = seen == 0 ? 0 : Math.min(shared.tickets - started, rest * started / seen);
        held.add(shared.kind, (int) (rest - restStarted));
        ready += restStarted;
        take(ticketClass, started + restStarted);
    }

    /** Counts lanes that are parked at a run that has room again, behind an offer for which nobody polls. */
    private void countLanes(ParkedLanes group) {
        for (int i = 0; i < group.lanes.size() && visitsLeft > 0; i++) {
            Lane lane = group.lanes.at(i);
            Room shared = sharedRoom(lane.ticketClass);
            held.add(group.holdKind(), -lane.size());
            take(lane.ticketClass, countLane(lane, shared.tickets, shared.kind));
        }
    }

    /** Counts the tickets of a lane, of which the shared limits admit at most {@code max}. Returns those that start. */
    private long countLane(Lane lane, long max, HoldKind maxKind) {
        visitsLeft--;
        Room room = runRoom(lane).smaller(new Room(max, maxKind));
        long started = Math.min(lane.size(), room.tickets);
        held.add(room.kind, (int) (lane.size() - started));
        if (started > 0) {
            ready += started;
            take(lane, started);
            Ticket oldest = lane.offered == null ? lane.peek() : lane.offered;
            oldestSince = oldest == null ? oldestSince : Math.min(oldestSince, oldest.since());
        }
        return started;
    }

    private Taken taken(Object at) {
        return taken.computeIfAbsent(at, ignored -> new Taken());
    }

    private void take(Lane lane, long tickets) {
        TicketSpec.RunDemand demand = lane.spec.runDemand();
        Taken ofRun = taken(lane.run);
        ofRun.cost += tickets;
        ofRun.weight += tickets * demand.slots();
        ofRun.exclusive |= demand.exclusive();
        if (demand.fanOut() != null) {
            taken(demand.fanOut()).cost += tickets;
        }
    }

    private void take(TicketClass ticketClass, long tickets) {
        for (int i = 0; tickets > 0 && i < ticketClass.demands.size(); i++) {
            SharedDemand demand = ticketClass.demands.get(i);
            Taken ofLimit = taken(demand.limit);
            ofLimit.weight += tickets * demand.weight;
            ofLimit.cost += tickets * demand.need.cost();
        }
    }

    private Room runRoom(Lane lane) {
        TicketSpec.RunDemand demand = lane.spec.runDemand();
        Verdict verdict = lane.run.judge(demand, false, now);
        if (!verdict.admits()) {
            return new Room(
                    0, verdict instanceof Verdict.HeldByRun byRun ? HoldKind.of(byRun.hold()) : HoldKind.FAN_OUT);
        }
        Taken before = taken(lane.run);
        if (before.exclusive || (demand.exclusive() && before.cost > 0)) {
            return new Room(0, HoldKind.RUN);
        }
        long steps = left(lane.run.usage(LimitId.Local.RUN_STEPS, demand, now), before.cost);
        long slots = left(lane.run.usage(LimitId.Local.RUN_SLOTS, demand, now), before.weight);
        long ticks = left(lane.run.usage(LimitId.Local.RUN_TICK, demand, now), before.cost);
        Room room =
                new Room(Math.min(steps, slots / demand.slots()), HoldKind.RUN).smaller(new Room(ticks, HoldKind.TICK));
        if (demand.exclusive()) {
            room = room.smaller(new Room(1, HoldKind.RUN));
        }
        if (demand.fanOut() == null) {
            return room;
        }
        long items = left(lane.run.usage(LimitId.Local.FAN_OUT, demand, now), taken(demand.fanOut()).cost);
        return room.smaller(new Room(items, HoldKind.FAN_OUT));
    }

    private static long left(Explanation.Usage usage, long taken) {
        return Math.max(0, usage.capacity() - usage.used() - taken);
    }

    private Room sharedRoom(TicketClass ticketClass) {
        var room = new Room(Long.MAX_VALUE, HoldKind.KEY_CAPACITY);
        for (int i = 0; i < ticketClass.demands.size(); i++) {
            SharedDemand demand = ticketClass.demands.get(i);
            if (demand.limit.judge(demand, null, now) instanceof HoldCause cause) {
                return new Room(0, HoldKind.of(demand.limit.id, cause));
            }
            room = room.smaller(capacityRoom(demand)).smaller(rateRoom(demand));
        }
        return room;
    }

    private Room capacityRoom(SharedDemand demand) {
        long capacity = demand.limit.parallelism(demand);
        boolean unlimited = demand.weight == LimitNeed.NO_WEIGHT || capacity == LimitNeed.UNLIMITED;
        long left = capacity - demand.limit.used - taken(demand.limit).weight;
        return new Room(
                unlimited ? Long.MAX_VALUE : Math.max(0, left) / demand.weight,
                HoldKind.of(demand.limit.id, HoldCause.CAPACITY));
    }

    private Room rateRoom(SharedDemand demand) {
        @Nullable RateUsage usage = demand.limit.usage(demand);
        @Nullable Rate rate = usage == null ? null : demand.limit.rate(demand.need);
        HoldKind kind = HoldKind.of(demand.limit.id, HoldCause.RATE);
        if (rate == null || usage == null || demand.need.cost() < 1) {
            return new Room(Long.MAX_VALUE, kind);
        }
        long left = rate.count() - usage.used(now) - taken(demand.limit).cost;
        return new Room(Math.max(0, left) / demand.need.cost(), kind);
    }
}
