package dev.weir.core.admission;

import dev.weir.core.limit.LimitId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reserves room for a ticket that was overtaken too often. One ticket of the organisation at a time has a capacity
 * reservation: the oldest that can use it. Capacity that comes free in its limits is kept until it starts. No capacity
 * is kept while something other than room holds the ticket: a rate, a pause, its fan-out, a missing worker, or an
 * allocation that waits for a person. A ticket that a rate refuses reserves room in the windows of its rates (see
 * {@link WindowReservations}), so that the rate lets it start in the end.
 */
final class CapacityReservation {
    /** Number of times that a ticket is overtaken before it gets a reservation. */
    static final int OVERTAKINGS_MAX = 50;
    /** Maximum candidates judged in a pass. */
    private static final int CANDIDATES_PER_PASS = 16;

    private final TicketQueues queues;
    private final int overtakingsMax;
    private final WindowReservations windows;
    private final List<Ticket> candidates = new ArrayList<>();
    private int cursor;
    private @Nullable Ticket reserver;

    CapacityReservation(TicketQueues queues, int overtakingsMax) {
        this.queues = queues;
        this.overtakingsMax = overtakingsMax;
        this.windows = new WindowReservations(queues);
    }

    @Nullable
    Ticket reserver() {
        return reserver;
    }

    boolean isReserver(Ticket ticket) {
        return ticket == reserver;
    }

    /** The ticket of a lane that has a reservation of either kind, if any. */
    @Nullable
    Ticket reserverIn(Lane lane) {
        return reserver != null && reserver.lane() == lane ? reserver : windows.reserverIn(lane);
    }

    /** The tickets that have a reservation of either kind. */
    List<Ticket> reservers() {
        List<Ticket> inWindows = windows.tickets();
        if (reserver == null || inWindows.contains(reserver)) {
            return inWindows;
        }
        List<Ticket> all = new ArrayList<>(inWindows);
        all.add(reserver);
        return all;
    }

    /** The tickets that have a reservation in the windows of their rates. */
    List<Ticket> windowReservers() {
        return windows.tickets();
    }

    /** Counts an overtaking for the oldest tickets that wait for the same limits and are older than the granted one. */
    void countOvertakings(Ticket granted, long now) {
        for (SharedDemand demand : granted.lane().ticketClass.demands) {
            SharedLimit limit = demand.limit;
            countOvertakings(limit.parkedCount == 0 ? null : oldestShortOfRoom(limit, now), granted);
            countOvertakings(limit.oldestParkedElsewhere(), granted);
        }
        for (ParkedLanes parkedGroup : granted.lane().run.parkedGroups()) {
            Lane lane = parkedGroup.demand.canBeOvertaken() ? parkedGroup.lanes.peek() : null;
            if (lane != null && lane.head().isBefore(granted)) {
                recordOvertaken(lane.head());
            }
        }
    }

    private void countOvertakings(@Nullable Ticket older, Ticket granted) {
        if (older != null && older.isBefore(granted)) {
            recordOvertaken(older);
        }
    }

    void recordOvertaken(Ticket ticket) {
        if (isRun(ticket)) {
            return;
        }
        ticket.countOvertaking();
        if (ticket.overtakenCount() == overtakingsMax) {
            candidates.add(ticket);
        }
    }

    /**
     * True if the ticket is the start of a run. Runs get no reservation. Each takes one place of nested limits, so the
     * oldest gets what comes free. A reservation could also deadlock: a place kept for one run may be the very place
     * that a child run needs, while the first run waits for the parent of that child.
     */
    private static boolean isRun(Ticket ticket) {
        for (SharedDemand demand : ticket.lane().ticketClass.demands) {
            if (demand.limit.id instanceof LimitId.OrgRuns) {
                return true;
            }
        }
        return false;
    }

    void remove(Ticket ticket) {
        if (ticket.overtakenCount() >= overtakingsMax) {
            candidates.remove(ticket);
            if (ticket == reserver) {
                assign(null);
            }
            windows.remove(ticket);
        }
    }

    /** Assigns reservations and starts the tickets that can start. Returns true if anything became possible. */
    boolean refresh(long now) {
        Ticket assignee = nextReserver(now);
        if (assignee != reserver) {
            assign(assignee);
        }
        boolean started = assignee != null && queues.tryStart(assignee, now);
        return windows.refresh(now) || started || queues.hasPendingWork();
    }

    /** The oldest candidate that more room would help. If there are many, a pass looks only at the next few. */
    private @Nullable Ticket nextReserver(long now) {
        Ticket oldest = reserver != null && lacksOnlyRoom(reserver, false, now) ? reserver : null;
        for (int i = Math.min(candidates.size(), CANDIDATES_PER_PASS); i > 0; i--) {
            cursor = cursor + 1 < candidates.size() ? cursor + 1 : 0;
            Ticket candidate = candidates.get(cursor);
            windows.tryReserve(candidate, now);
            if ((oldest == null || candidate.isBefore(oldest)) && lacksOnlyRoom(candidate, false, now)) {
                oldest = candidate;
            }
        }
        return oldest;
    }

    /** The oldest head of a parked class that would fit if the capacity or a window had more room. */
    private static @Nullable Ticket oldestShortOfRoom(SharedLimit limit, long now) {
        Ticket oldest = null;
        List<SharedDemand> demands = limit.demands();
        for (int i = 0; i < demands.size(); i++) {
            SharedDemand demand = demands.get(i);
            ParkedClasses parkedGroup = demand.parkedGroups.peek();
            Ticket head = parkedGroup == null ? null : parkedGroup.best().head();
            if (head != null && (oldest == null || head.isBefore(oldest)) && demand.isShortOfRoom(now)) {
                oldest = head;
            }
        }
        return oldest;
    }

    /**
     * True if nothing but missing room holds a ticket.
     *
     * @param inWindows true if missing room in the window of a rate also counts as missing room
     */
    static boolean lacksOnlyRoom(Ticket ticket, boolean inWindows, long now) {
        TicketClass ticketClass = ticket.lane().ticketClass;
        if (!ticketClass.module.isServed(now)) {
            return false;
        }
        for (SharedDemand demand : ticketClass.demands) {
            SharedLimit limit = demand.limit;
            LimitVerdict capacity = limit.judgeCapacity(demand, true);
            LimitVerdict rate = limit.judgeRate(demand, ticket, now);
            boolean room = capacity.admits() || capacity == HoldCause.CAPACITY;
            boolean window = rate.admits() || (inWindows && rate != HoldCause.OVER_CAPACITY);
            if (!room || !window || limit.isPaused(now) || !limit.willFit(demand)) {
                return false;
            }
        }
        return runLacksOnlyRoom(ticket, now);
    }

    /**
     * True if nothing but missing room in its run holds the ticket. A light ticket that its own run has no room for
     * gets no reservation against other runs.
     */
    private static boolean runLacksOnlyRoom(Ticket ticket, long now) {
        TicketSpec.RunDemand runDemand = ticket.lane().spec.runDemand();
        if (!ticket.lane().run.willFit(runDemand, now)) {
            return false;
        }
        for (LimitId.Local limit : LimitId.Local.values()) {
            LimitVerdict verdict = ticket.lane().run.judge(limit, runDemand, true, now);
            boolean room =
                    verdict == HoldCause.CAPACITY && limit != LimitId.Local.FAN_OUT && runDemand.canBeOvertaken();
            if (!verdict.admits() && !room) {
                return false;
            }
        }
        return true;
    }

    private void assign(@Nullable Ticket next) {
        Ticket last = reserver;
        reserver = next;
        if (last != null) {
            last.lane().run.reserveFor(null);
            queues.dirtyQueue.markDirty(last.lane().run);
            for (SharedDemand demand : last.lane().ticketClass.demands) {
                demand.limit.reserve(null, null);
                queues.dirtyQueue.markDirty(demand.limit);
            }
        }
        if (next != null) {
            next.lane().run.reserveFor(next);
            for (SharedDemand demand : next.lane().ticketClass.demands) {
                demand.limit.reserve(next, demand);
            }
        }
    }

    /** The time when reservations change by themselves: a window opens, or a module counts as unserved. */
    long nextChange() {
        Ticket current = reserver;
        long windowsNext = windows.nextChange();
        if (current == null || current.lane().ticketClass.module.firstPoll() != null) {
            return windowsNext;
        }
        return Math.min(windowsNext, current.lane().ticketClass.module.servedUntil());
    }
}
