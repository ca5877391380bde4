package dev.weir.core.admission;

import dev.weir.core.heap.IndexedHeap;
import org.jspecify.annotations.Nullable;

/** The parked lanes of a run that ask the same of it, which is more than it has left. */
final class ParkedLanes {
    final RunLimiter run;
    final TicketSpec.RunDemand demand;
    final ModuleQueue module;
    final IndexedHeap<Lane> lanes = new IndexedHeap<>();
    /** An offer from this group that could start if somebody polled. Until it does, the others need not be judged. */
    @Nullable
    Ticket representative;

    /** The last hold of its lanes by the run, and the time when it ended. */
    @Nullable
    Hold lastHold;

    long heldUntil = Long.MIN_VALUE;
    /** Number of tickets in its lanes. */
    private int ticketCount;

    private HoldKind holdKind = HoldKind.RUN;

    ParkedLanes(RunLimiter run, Lane lane) {
        this.run = run;
        this.demand = lane.spec.runDemand();
        this.module = lane.ticketClass.module;
    }

    boolean matches(Lane lane) {
        return module == lane.ticketClass.module && demand.equals(lane.spec.runDemand());
    }

    /** Counts tickets of its lanes that come or go. */
    void addTickets(int change) {
        ticketCount += change;
        module.held.add(holdKind, change);
    }

    HoldKind holdKind() {
        return holdKind;
    }

    /** Records that the run has no room for its lanes. */
    void recordRefusal(Hold hold) {
        HoldKind kind = HoldKind.of(hold);
        module.held.move(holdKind, kind, ticketCount);
        holdKind = kind;
        lastHold = hold;
        heldUntil = Long.MAX_VALUE;
    }

    /** Records that the run has room for one of them. */
    void recordFreed(long now) {
        heldUntil = Math.min(heldUntil, now);
    }
}
