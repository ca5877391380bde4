package dev.weir.core.admission;

import dev.weir.core.limit.Moment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The reservations in the windows of rates, for tickets that a rate refuses and that were overtaken too often. A limit
 * reserves its windows for one ticket at a time. A ticket reserves all of its rates at once or none. An older ticket
 * takes them from younger ones, and starts even if that delays a younger one. So the oldest always gets what it waits
 * for, and no two tickets can wait for each other.
 */
final class WindowReservations {
    /** Maximum tickets of an organisation with such a reservation at a time. */
    static final int RESERVATIONS_MAX = 16;

    private final TicketQueues queues;
    private final List<WindowReservation> all = new ArrayList<>();

    WindowReservations(TicketQueues queues) {
        this.queues = queues;
    }

    /** The tickets that have a reservation, oldest first. */
    List<Ticket> tickets() {
        return all.stream().map(each -> each.ticket).sorted(Ticket.BY_AGE).toList();
    }

    /** The ticket of a lane that has a reservation, if any. */
    @Nullable
    Ticket reserverIn(Lane lane) {
        for (WindowReservation each : all) {
            if (each.ticket.lane() == lane) {
                return each.ticket;
            }
        }
        return null;
    }

    /**
     * Makes a reservation for a ticket that was overtaken too often, if a rate refuses it and no older one is in the
     * way.
     */
    void tryReserve(Ticket ticket, long now) {
        if (find(ticket) != null
                || !refusedByRate(ticket, now)
                || !CapacityReservation.lacksOnlyRoom(ticket, true, now)) {
            return;
        }
        List<SharedDemand> ratedDemands = ratedDemands(ticket);
        WindowReservation youngest = all.size() < RESERVATIONS_MAX ? null : youngest();
        if (!goesBefore(ticket, youngest)
                || !ratedDemands.stream().allMatch(one -> goesBefore(ticket, one.limit.windowReservation))) {
            return;
        }
        end(youngest);
        ratedDemands.forEach(demand -> end(demand.limit.windowReservation));
        var reservation = new WindowReservation(ticket, ratedDemands);
        all.add(reservation);
        ticket.reservesWindows = true;
        ratedDemands.forEach(demand -> demand.limit.windowReservation = reservation);
        boolean unused = reservation.refresh(now);
    }

    private static boolean goesBefore(Ticket ticket, @Nullable WindowReservation other) {
        return other == null || ticket.isBefore(other.ticket);
    }

    private static boolean refusedByRate(Ticket ticket, long now) {
        for (SharedDemand demand : ticket.lane().ticketClass.demands) {
            if (!demand.limit.judgeRate(demand, ticket, now).admits()) {
                return true;
            }
        }
        return false;
    }

    private static List<SharedDemand> ratedDemands(Ticket ticket) {
        return ticket.lane().ticketClass.demands.stream()
                .filter(demand -> demand.limit.rate(demand.need) != null)
                .toList();
    }

    private WindowReservation youngest() {
        WindowReservation youngest = all.getFirst();
        for (WindowReservation each : all) {
            youngest = youngest.ticket.isBefore(each.ticket) ? each : youngest;
        }
        return youngest;
    }

    private @Nullable WindowReservation find(Ticket ticket) {
        for (WindowReservation each : all) {
            if (each.ticket == ticket) {
                return each;
            }
        }
        return null;
    }

    /** Ends useless reservations, and starts the tickets that may start. Returns true if any started. */
    boolean refresh(long now) {
        boolean started = false;
        for (int i = all.size() - 1; i >= 0; i--) {
            WindowReservation each = all.get(i);
            if (!isUseful(each, now)) {
                end(each);
            } else {
                if (each.refresh(now)) {
                    each.demands.forEach(demand -> queues.dirtyQueue.markDirty(demand.limit));
                }
                started |= queues.tryStart(each.ticket, now);
            }
        }
        return started;
    }

    private static boolean isUseful(WindowReservation each, long now) {
        return CapacityReservation.lacksOnlyRoom(each.ticket, true, now)
                && ratedDemands(each.ticket).equals(each.demands);
    }

    void remove(Ticket ticket) {
        end(find(ticket));
    }

    private void end(@Nullable WindowReservation ended) {
        if (ended != null) {
            all.remove(ended);
            ended.ticket.reservesWindows = false;
            for (SharedDemand demand : ended.demands) {
                demand.limit.windowReservation = null;
                queues.dirtyQueue.markDirty(demand.limit);
            }
        }
    }

    /** The time when one of the tickets can start, or its module counts as unserved, if nothing happens until then. */
    long nextChange() {
        long next = Moment.NEVER;
        for (WindowReservation each : all) {
            Long opens = each.laterOpening();
            next = opens == null ? next : Math.min(next, opens);
            ModuleQueue module = each.ticket.lane().ticketClass.module;
            next = module.firstPoll() == null ? Math.min(next, module.servedUntil()) : next;
        }
        return next;
    }
}
