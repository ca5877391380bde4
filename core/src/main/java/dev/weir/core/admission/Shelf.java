package dev.weir.core.admission;

import dev.weir.core.heap.Heap;
import org.jspecify.annotations.Nullable;

/** The lanes of a run that are parked because what they ask of the run, all the same, is more than it has. */
final class Shelf {
    final RunGate run;
    final TicketSpec.Local demand;
    final Module module;
    final Heap<Lane> lanes = new Heap<>();
    /** An offer from here that could go if somebody polled; until it does, the others need not be looked at. */
    @Nullable
    Ticket scout;

    /** What of the run has refused its lanes last, and until when. */
    @Nullable
    Refusal refusedBy;

    long refusedUntil = Long.MIN_VALUE;

    Shelf(RunGate run, Lane lane) {
        this.run = run;
        this.demand = lane.spec.local();
        this.module = lane.group.module;
    }

    boolean suits(Lane lane) {
        return module == lane.group.module && demand.equals(lane.spec.local());
    }

    /** The run has no room for its lanes. */
    void refused(Refusal by) {
        refusedBy = by;
        refusedUntil = Long.MAX_VALUE;
    }

    /** The run has room for one of them. */
    void freed(long now) {
        refusedUntil = Math.min(refusedUntil, now);
    }
}
