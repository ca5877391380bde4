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
    private static final int LOOKED_AT = 16;

    private final TicketQueues desk;
    private final int overtakingsMax;
    private final WindowReservations windows;
    private final List<Ticket> candidates = new ArrayList<>();
    private int lookedAt;
    private @Nullable Ticket holder;

    CapacityReservation(TicketQueues desk, int overtakingsMax) {
        this.desk = desk;
        this.overtakingsMax = overtakingsMax;
        this.windows = new WindowReservations(desk);
    }

    @Nullable
    Ticket holder() {
        return holder;
    }

    boolean keptFor(Ticket ticket) {
        return ticket == holder;
    }

    /** The ticket of a lane that has a reservation of either kind, if any. */
    @Nullable
    Ticket reserverIn(Lane lane) {
        return holder != null && holder.lane() == lane ? holder : windows.in(lane);
    }

    /** The tickets that have a reservation of either kind. */
    List<Ticket> reservers() {
        List<Ticket> inWindows = windows.tickets();
        if (holder == null || inWindows.contains(holder)) {
            return inWindows;
        }
        List<Ticket> all = new ArrayList<>(inWindows);
        all.add(holder);
        return all;
    }

    /** The tickets that have a reservation in the windows of their rates. */
    List<Ticket> windowHolders() {
        return windows.tickets();
    }

    /** Counts an overtaking for the oldest tickets that wait for the same limits and are older than the granted one. */
    void wentBefore(Ticket granted, long now) {
        for (SharedDemand demand : granted.lane().group.demands) {
            SharedLimit limit = demand.limit;
            wentBefore(limit.parked == 0 ? null : limit.oldestShortOfRoom(now), granted);
            wentBefore(limit.bystander(), granted);
        }
        for (ParkedLanes shelf : granted.lane().run.shelves()) {
            Lane lane = shelf.demand.heavy() ? shelf.lanes.peek() : null;
            if (lane != null && lane.head().before(granted)) {
                overtaken(lane.head());
            }
        }
    }

    private void wentBefore(@Nullable Ticket older, Ticket granted) {
        if (older != null && older.before(granted)) {
            overtaken(older);
        }
    }

    void overtaken(Ticket ticket) {
        if (isRun(ticket)) {
            return;
        }
        ticket.overtake();
        if (ticket.overtaken() == overtakingsMax) {
            candidates.add(ticket);
        }
    }

    /**
     * True if the ticket is the start of a run. Runs get no reservation. Each takes one place of nested limits, so the
     * oldest gets what comes free. A reservation could also deadlock: a place kept for one run may be the very place
     * that a child run needs, while the first run waits for the parent of that child.
     */
    private static boolean isRun(Ticket ticket) {
        for (SharedDemand demand : ticket.lane().group.demands) {
            if (demand.limit.id instanceof LimitId.OrgRuns) {
                return true;
            }
        }
        return false;
    }

    void forget(Ticket ticket) {
        if (ticket.overtaken() >= overtakingsMax) {
            candidates.remove(ticket);
            if (ticket == holder) {
                give(null);
            }
            windows.forget(ticket);
        }
    }

    /** Assigns reservations and starts the tickets that can start. Returns true if anything became possible. */
    boolean refresh(long now) {
        Ticket due = due(now);
        if (due != holder) {
            give(due);
        }
        boolean started = due != null && desk.startNow(due, now);
        return windows.refresh(now) || started || desk.pending();
    }

    /** The oldest candidate that more room would help. If there are many, a pass looks only at the next few. */
    private @Nullable Ticket due(long now) {
        Ticket oldest = holder != null && lacksOnlyRoom(holder, false, now) ? holder : null;
        for (int i = Math.min(candidates.size(), LOOKED_AT); i > 0; i--) {
            lookedAt = lookedAt + 1 < candidates.size() ? lookedAt + 1 : 0;
            Ticket candidate = candidates.get(lookedAt);
            windows.consider(candidate, now);
            if ((oldest == null || candidate.before(oldest)) && lacksOnlyRoom(candidate, false, now)) {
                oldest = candidate;
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
        TicketClass group = ticket.lane().group;
        if (!group.module.served(now)) {
            return false;
        }
        for (SharedDemand demand : group.demands) {
            SharedLimit limit = demand.limit;
            HoldCause capacity = limit.capacityCause(demand, true);
            HoldCause rate = limit.rateCause(demand, ticket, now);
            boolean room = capacity == null || capacity == HoldCause.CAPACITY;
            boolean window = rate == null || (inWindows && rate != HoldCause.OVER_CAPACITY);
            if (!room || !window || limit.paused(now) || !limit.willFit(demand)) {
                return false;
            }
        }
        return runLacksRoomOnly(ticket, now);
    }

    /**
     * True if nothing but missing room in its run holds the ticket. A light ticket that its own run has no room for
     * gets no reservation against other runs.
     */
    private static boolean runLacksRoomOnly(Ticket ticket, long now) {
        TicketSpec.Local local = ticket.lane().spec.local();
        if (!ticket.lane().run.willFit(local, now)) {
            return false;
        }
        for (LimitId.Local limit : LimitId.Local.values()) {
            HoldCause cause = ticket.lane().run.cause(limit, local, true, now);
            boolean room = cause == HoldCause.CAPACITY && limit != LimitId.Local.FAN_OUT && local.heavy();
            if (cause != null && !room) {
                return false;
            }
        }
        return true;
    }

    private void give(@Nullable Ticket next) {
        Ticket last = holder;
        holder = next;
        if (last != null) {
            last.lane().run.reserveFor(null);
            desk.agenda.changed(last.lane().run);
            for (SharedDemand demand : last.lane().group.demands) {
                demand.limit.reserve(null, null);
                desk.agenda.changed(demand.limit);
            }
        }
        if (next != null) {
            next.lane().run.reserveFor(next);
            for (SharedDemand demand : next.lane().group.demands) {
                demand.limit.reserve(next, demand);
            }
        }
    }

    /** The time when reservations change by themselves: a window opens, or a module counts as unserved. */
    long nextChange() {
        Ticket kept = holder;
        long windowsNext = windows.nextChange();
        if (kept == null || kept.lane().group.module.firstPoll() != null) {
            return windowsNext;
        }
        return Math.min(windowsNext, kept.lane().group.module.servedUntil());
    }
}
