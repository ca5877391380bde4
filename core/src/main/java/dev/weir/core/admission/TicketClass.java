package dev.weir.core.admission;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tickets of all runs with the same module and the same needs: one queue, judged by its head. It is idle (nothing
 * offered), admissible (its needs were met when last looked at), or parked at the first demand that was refused.
 */
final class TicketClass extends Heap.Node {
    final Module module;
    final List<Demand> demands;
    final AgeQueue offers = new AgeQueue();
    /** Lanes with tickets of this class; without any the class is dropped after a while. */
    int lanes;
    /** Tickets that wait, offered or not. */
    int waiting;

    boolean admissible;

    @Nullable
    Demand parkedAt;

    long heldSince;
    long idleSince;
    /** When it was put, for the last time, among the classes that await being dropped. */
    long queuedAt;

    boolean awaitsDrop;

    TicketClass(Module module, List<Demand> demands) {
        this.module = module;
        this.demands = demands;
    }

    boolean idle() {
        return !admissible && parkedAt == null;
    }

    Ticket head() {
        Ticket head = offers.peek();
        if (head == null) {
            throw new IllegalStateException("expected a class with an offer, found none for module " + module.name);
        }
        return head;
    }

    boolean before(TicketClass other) {
        return head().before(other.head());
    }

    /** The first demand that is refused; {@code self} tells whether room is kept for the ticket that asks. */
    @Nullable
    Demand firstRefused(boolean self, long now) {
        for (int i = 0; i < demands.size(); i++) {
            Demand demand = demands.get(i);
            if (demand.limit.cause(demand, self, now) != null) {
                return demand;
            }
        }
        return null;
    }

    @Override
    long rank() {
        return head().rank();
    }

    @Override
    int compareWithinRank(Heap.Node other) {
        return head().compareTie(((TicketClass) other).head());
    }
}
