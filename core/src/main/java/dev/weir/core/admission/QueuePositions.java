package dev.weir.core.admission;

import dev.weir.core.heap.IndexedHeap;

/**
 * Counts the tickets ahead of a ticket. It looks at a bounded number, however many wait: a position is a hint, and a
 * query for it must not delay starts.
 */
final class QueuePositions {
    private final Ticket ticket;
    private final Lane lane;
    private int remaining;
    private long ahead;

    QueuePositions(Ticket ticket) {
        this.ticket = ticket;
        this.lane = ticket.lane();
    }

    /** The position among the tickets of its own run. */
    long inRun() {
        reset();
        for (Lane other = lane.run.firstLane(); other != null && remaining > 0; other = other.next) {
            Ticket offered = other.offered;
            if (offered != null) {
                countIfAhead(offered);
            }
            count(other);
        }
        return ahead + 1;
    }

    /** The position among the tickets that other runs offer to a limit, and those of its own lane. */
    long at(SharedLimit limit) {
        reset();
        boolean counted = false;
        for (SharedDemand demand : limit.demands()) {
            for (int i = 0; i < demand.parkedGroups.size() && remaining > 0; i++) {
                ParkedClasses parkedGroup = demand.parkedGroups.at(i);
                counted |= parkedGroup == lane.ticketClass.parkedGroup && lane.ticketClass.parked;
                count(parkedGroup);
            }
        }
        if (!counted) {
            count(lane.ticketClass.offers);
        }
        count(lane);
        return ahead + 1;
    }

    /** The position among the tickets of its class that wait for a worker. */
    long atModule() {
        reset();
        count(lane.ticketClass.offers);
        return ahead + 1;
    }

    private void reset() {
        remaining = Explanation.POSITION_MAX;
        ahead = 0;
    }

    private void count(ParkedClasses parkedGroup) {
        for (int i = 0; i < parkedGroup.classes.size() && remaining > 0; i++) {
            count(parkedGroup.classes.at(i).offers);
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
        for (int i = 0; late != null && i < late.size() && remaining > 0; i++) {
            countIfAhead(late.at(i));
        }
        Ticket at = queue.firstInOrder();
        while (at != null && remaining > 0 && countIfAhead(at)) {
            at = at.next;
        }
    }

    private boolean countIfAhead(Ticket other) {
        remaining--;
        boolean before = other.isBefore(ticket);
        ahead += before ? 1 : 0;
        return before;
    }
}
