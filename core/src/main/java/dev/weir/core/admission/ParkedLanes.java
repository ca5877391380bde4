package dev.weir.core.admission;

import dev.weir.core.heap.IndexedHeap;
import org.jspecify.annotations.Nullable;

/** The parked lanes of a run that ask the same of it, which is more than it has left. */
final class ParkedLanes {
    final RunLimiter run;
    final TicketSpec.Local demand;
    final ModuleQueue module;
    final IndexedHeap<Lane> lanes = new IndexedHeap<>();
    /** An offer from this group that could start if somebody polled. Until it does, the others need not be judged. */
    @Nullable
    Ticket scout;

    /** The last hold of its lanes by the run, and the time when it ended. */
    @Nullable
    Hold refusedBy;

    long refusedUntil = Long.MIN_VALUE;

    ParkedLanes(RunLimiter run, Lane lane) {
        this.run = run;
        this.demand = lane.spec.local();
        this.module = lane.group.module;
    }

    boolean suits(Lane lane) {
        return module == lane.group.module && demand.equals(lane.spec.local());
    }

    /** Records that the run has no room for its lanes. */
    void refused(Hold by) {
        refusedBy = by;
        refusedUntil = Long.MAX_VALUE;
    }

    /** Records that the run has room for one of them. */
    void freed(long now) {
        refusedUntil = Math.min(refusedUntil, now);
    }
}
