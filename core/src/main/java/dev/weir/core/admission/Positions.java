package dev.weir.core.admission;

import dev.weir.core.heap.Heap;

/**
 * How many wait before a ticket. It looks at so many at the most, however many wait: a position is a hint, and whoever
 * asks for it must not hold up those who start.
 */
final class Positions {
    private final Ticket ticket;
    private final Lane lane;
    private int left;
    private long ahead;

    Positions(Ticket ticket) {
        this.ticket = ticket;
        this.lane = ticket.lane();
    }

    /** Among those of its own run. */
    long inRun() {
        begin();
        for (Lane other = lane.run.firstLane(); other != null && left > 0; other = other.next) {
            Ticket offered = other.offered;
            if (offered != null) {
                look(offered);
            }
            count(other);
        }
        return ahead + 1;
    }

    /** Among those that other runs offer to a limit, and those of its own lane. */
    long at(SharedLimit limit) {
        begin();
        boolean counted = false;
        for (Demand demand : limit.demands()) {
            for (int i = 0; i < demand.parked.size() && left > 0; i++) {
                Bay bay = demand.parked.at(i);
                counted |= bay == lane.group.bay && lane.group.parked;
                count(bay);
            }
        }
        if (!counted) {
            count(lane.group.offers);
        }
        count(lane);
        return ahead + 1;
    }

    /** Among those that ask for the same and wait for a worker. */
    long atModule() {
        begin();
        count(lane.group.offers);
        return ahead + 1;
    }

    private void begin() {
        left = Explanation.POSITION_MAX;
        ahead = 0;
    }

    private void count(Bay bay) {
        for (int i = 0; i < bay.classes.size() && left > 0; i++) {
            count(bay.classes.at(i).offers);
        }
    }

    private void count(Lane other) {
        AgeQueue waiting = other.waiting();
        if (waiting != null) {
            count(waiting);
        }
    }

    private void count(AgeQueue queue) {
        Heap<Ticket> late = queue.late();
        for (int i = 0; late != null && i < late.size() && left > 0; i++) {
            look(late.at(i));
        }
        Ticket at = queue.firstInOrder();
        while (at != null && left > 0 && look(at)) {
            at = at.next;
        }
    }

    private boolean look(Ticket other) {
        left--;
        boolean before = other.before(ticket);
        ahead += before ? 1 : 0;
        return before;
    }
}
