package dev.weir.core.admission;

import dev.weir.core.limit.LimitStart;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The share of its limits that a ticket took when it was granted. It is returned once, as a whole. */
public final class Allocation {
    static final Comparator<Allocation> BY_AGE = Comparator.comparingLong(Allocation::grantedAt)
            .thenComparingLong(allocation -> allocation.tie)
            .thenComparingInt(allocation -> allocation.item);

    private static final int[] NO_INDEXES = {};

    private final Subject subject;
    /** Null if the allocation counts only against shared limits. */
    private final @Nullable RunLimiter run;

    private final TicketSpec spec;
    private final long grantedAt;
    private final long tie;
    private final int item;
    private final TicketClass ticketClass;
    /** Its index among the allocations of the run. */
    private int indexInRun;

    /** Its indexes at the limits of the first two demands. Most allocations have no more, and so need no array. */
    private int firstIndex;

    private int secondIndex;
    /** Its indexes at the other limits, in the order of the demands. */
    private final int[] otherIndexes;

    private List<LimitStart> starts = List.of();
    private boolean active = true;
    private boolean openEnded;
    private WaitRecord waitRecord = WaitRecord.NONE;

    Allocation(@Nullable RunLimiter run, TicketSpec spec, Ticket.Entry entry, TicketClass ticketClass, long grantedAt) {
        this.subject = entry.subject();
        this.run = run;
        this.spec = spec;
        this.tie = entry.tie();
        this.item = entry.item();
        this.ticketClass = ticketClass;
        this.grantedAt = grantedAt;
        int demandCount = ticketClass.demands.size();
        this.otherIndexes = demandCount <= 2 ? NO_INDEXES : new int[demandCount - 2];
    }

    public Subject subject() {
        return subject;
    }

    public TicketSpec spec() {
        return spec;
    }

    public long grantedAt() {
        return grantedAt;
    }

    /** The starts that limits with a rate must remember after this allocation has ended. */
    public List<LimitStart> starts() {
        return starts;
    }

    /** The record of what held its ticket. */
    public WaitRecord waitRecord() {
        return waitRecord;
    }

    void waitRecord(WaitRecord newRecord) {
        waitRecord = newRecord;
    }

    /** True if the claim that was granted with it is still live. */
    boolean isLive() {
        return active && subject.isLive(this);
    }

    boolean isOpenEnded() {
        return openEnded;
    }

    /** Its demand on one of its limits. */
    SharedDemand demandOn(SharedLimit limit) {
        return demands().get(indexOf(limit));
    }

    @Nullable
    RunLimiter run() {
        return run;
    }

    TicketSpec.RunDemand runDemand() {
        return spec.runDemand();
    }

    List<SharedDemand> demands() {
        return ticketClass.demands;
    }

    ModuleQueue module() {
        return ticketClass.module;
    }

    void acquireAll(long now, UsageCrossings crossings) {
        module().runningCount++;
        indexInRun = run == null ? 0 : run.acquire(this, now);
        List<SharedDemand> demands = demands();
        for (int i = 0; i < demands.size(); i++) {
            SharedDemand demand = demands.get(i);
            setIndex(i, demand.limit.allocate(demand, this));
            LimitStart start = demand.limit.countStart(demand, now);
            if (start != null) {
                addStart(start);
            }
            crossings.record(demand, now);
        }
    }

    /**
     * Sets whether the time of its release is unpredictable, such as while it waits for a person. While it is, no
     * reservation is made that depends on it.
     */
    public void setOpenEnded(boolean value) {
        if (openEnded != value) {
            openEnded = value;
            if (run != null) {
                run.countOpenEnded(this, value);
            }
            for (SharedDemand demand : demands()) {
                demand.limit.countOpenEnded(demand, value);
            }
        }
    }

    private void addStart(LimitStart start) {
        if (starts.isEmpty()) {
            starts = new ArrayList<>(1);
        }
        starts.add(start);
    }

    /** Counts again what was taken before a restart. The starts are restored separately. */
    void restore() {
        module().runningCount++;
        indexInRun = run == null ? 0 : run.allocate(this);
        List<SharedDemand> demands = demands();
        for (int i = 0; i < demands.size(); i++) {
            setIndex(i, demands.get(i).limit.allocate(demands.get(i), this));
        }
    }

    void release(long now) {
        if (!active) {
            throw new IllegalStateException(
                    "expected a live allocation, found one that was already returned: " + subject);
        }
        active = false;
        module().runningCount--;
        setOpenEnded(false);
        Allocation moved = run == null ? null : run.release(this, indexInRun);
        if (moved != null) {
            moved.indexInRun = indexInRun;
        }
        List<SharedDemand> demands = demands();
        for (int i = 0; i < demands.size(); i++) {
            SharedDemand demand = demands.get(i);
            int index = indexAt(i);
            Allocation other = demand.limit.release(demand, index, now);
            if (other != null) {
                other.setIndex(demand.limit, index);
            }
        }
    }

    private int indexAt(int demand) {
        return switch (demand) {
            case 0 -> firstIndex;
            case 1 -> secondIndex;
            default -> otherIndexes[demand - 2];
        };
    }

    private void setIndex(SharedLimit limit, int index) {
        setIndex(indexOf(limit), index);
    }

    private int indexOf(SharedLimit limit) {
        List<SharedDemand> demands = demands();
        int i = 0;
        while (demands.get(i).limit != limit) {
            i++;
        }
        return i;
    }

    private void setIndex(int demand, int index) {
        switch (demand) {
            case 0 -> firstIndex = index;
            case 1 -> secondIndex = index;
            default -> otherIndexes[demand - 2] = index;
        }
    }
}
