package dev.weir.core.admission;

import dev.weir.core.heap.IndexedHeap;

/**
 * Counts the tickets ahead of a ticket. It looks at a bounded number, however many wait: a position is a hint, and a
 * query for it must not delay starts.
 */
final class QueuePositions {
    private final Ticket ticket;
    private final Lane lane;
    private int left;
    private long ahead;

    QueuePositions(Ticket ticket) {
        this.ticket = ticket;
        this.lane = ticket.lane();
    }

    /** The position among the tickets of its own run. */
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

    /** The position among the tickets that other runs offer to a limit, and those of its own lane. */
    long at(SharedLimit limit) {
        begin();
        boolean counted = false;
        for (SharedDemand demand : limit.demands()) {
            for (int i = 0; i < demand.parked.size() && left > 0; i++) {
                ParkedClasses bay = demand.parked.at(i);
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

    /** The position among the tickets of its class that wait for a worker. */
    long atModule() {
        begin();
        count(lane.group.offers);
        return ahead + 1;
    }

    private void begin() {
        left = Explanation.POSITION_MAX;
        ahead = 0;
    }

    private void count(ParkedClasses bay) {
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
        IndexedHeap<Ticket> late = queue.late();
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
