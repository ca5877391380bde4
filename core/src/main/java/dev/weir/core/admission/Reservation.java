package dev.weir.core.admission;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps room for a ticket that others went before too often. One ticket of the organisation at a time has a reservation,
 * the oldest that can use it; what comes free of its capacities is kept until it starts. While something other than
 * room holds it (a rate, a pause, its fan-out, a missing worker, somebody who waits for a person) nothing is kept.
 */
final class Reservation {
    /** How often a ticket is overtaken before room is kept for it. */
    static final int OVERTAKINGS_MAX = 50;
    /** Candidates that are looked at in a pass. */
    private static final int LOOKED_AT = 16;

    private final Desk desk;
    private final int overtakingsMax;
    private final List<Ticket> candidates = new ArrayList<>();
    private int lookedAt;
    private @Nullable Ticket holder;

    Reservation(Desk desk, int overtakingsMax) {
        this.desk = desk;
        this.overtakingsMax = overtakingsMax;
    }

    @Nullable
    Ticket holder() {
        return holder;
    }

    boolean keptFor(Ticket ticket) {
        return ticket == holder;
    }

    /** Counts for the oldest that wait for the same, and have waited longer, that one more went before them. */
    void wentBefore(Ticket granted) {
        for (Demand demand : granted.lane().group.demands) {
            SharedLimit limit = demand.limit;
            wentBefore(limit.parked == 0 ? null : limit.oldestShortOfRoom(), granted);
            wentBefore(limit.bystander(), granted);
        }
        for (Shelf shelf : granted.lane().run.shelves()) {
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
     * No room is kept for runs. Each takes one place of limits that lie within each other, so that the oldest gets what
     * comes free; and what is kept for one may be just what a run needs whose parent the other waits for.
     */
    private static boolean isRun(Ticket ticket) {
        for (Demand demand : ticket.lane().group.demands) {
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
        }
    }

    /** Gives the reservation to whom it is due, and starts that ticket if it can; tells whether anything changed. */
    boolean refresh(long now) {
        Ticket due = due(now);
        boolean changed = due != holder;
        if (changed) {
            give(due);
        }
        return (due != null && start(due, now)) || (changed && desk.pending());
    }

    /** The oldest candidate that room would help; where there are many, of those whose turn it is to be looked at. */
    private @Nullable Ticket due(long now) {
        Ticket oldest = holder != null && waitsForRoomOnly(holder, now) ? holder : null;
        for (int i = Math.min(candidates.size(), LOOKED_AT); i > 0; i--) {
            lookedAt = lookedAt + 1 < candidates.size() ? lookedAt + 1 : 0;
            Ticket candidate = candidates.get(lookedAt);
            if ((oldest == null || candidate.before(oldest)) && waitsForRoomOnly(candidate, now)) {
                oldest = candidate;
            }
        }
        return oldest;
    }

    private static boolean waitsForRoomOnly(Ticket ticket, long now) {
        TicketClass group = ticket.lane().group;
        if (!group.module.served(now)) {
            return false;
        }
        for (Demand demand : group.demands) {
            Cause cause = demand.limit.cause(demand, true, now);
            boolean rateOpen = demand.limit.rateCause(demand, now) == null;
            if (!rateOpen || (cause != null && cause != Cause.CAPACITY) || !demand.limit.willFit(demand)) {
                return false;
            }
        }
        return runLacksRoomOnly(ticket, now);
    }

    /** A light ticket that its own run has no place for keeps nothing from other runs. */
    private static boolean runLacksRoomOnly(Ticket ticket, long now) {
        TicketSpec.Local local = ticket.lane().spec.local();
        if (!ticket.lane().run.willFit(local)) {
            return false;
        }
        for (LimitId.Local limit : LimitId.Local.values()) {
            Cause cause = ticket.lane().run.cause(limit, local, true, now);
            boolean room = cause == Cause.CAPACITY && limit != LimitId.Local.FAN_OUT && local.heavy();
            if (cause != null && !room) {
                return false;
            }
        }
        return true;
    }

    private boolean start(Ticket ticket, long now) {
        Poll poll = ticket.lane().group.module.firstPoll();
        boolean may = poll != null && desk.mayStart(ticket, now);
        if (may) {
            desk.grant(ticket, poll, now);
        }
        return may;
    }

    private void give(@Nullable Ticket next) {
        Ticket last = holder;
        holder = next;
        if (last != null) {
            last.lane().run.reserveFor(null);
            desk.agenda.changed(last.lane().run);
            for (Demand demand : last.lane().group.demands) {
                demand.limit.reserve(null);
                desk.agenda.changed(demand.limit);
            }
        }
        if (next != null) {
            next.lane().run.reserveFor(next);
            for (Demand demand : next.lane().group.demands) {
                demand.limit.reserve(demand);
            }
        }
    }

    /** When the reservation ends by itself because nobody polls any more. */
    long nextChange() {
        Ticket kept = holder;
        if (kept == null || kept.lane().group.module.firstPoll() != null) {
            return Moment.NEVER;
        }
        return kept.lane().group.module.servedUntil();
    }
}
