package dev.weir.core.admission;

import dev.weir.core.limit.LimitStart;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The share of its limits that a ticket took when it was granted. It is returned once, as a whole. */
public final class Allocation {
    static final Comparator<Allocation> BY_AGE = Comparator.comparingLong(Allocation::grantedAt)
            .thenComparingLong(holding -> holding.tie)
            .thenComparingInt(holding -> holding.item);

    private static final int[] NO_PLACES = {};

    private final Subject subject;
    /** Null if the allocation counts only against shared limits. */
    private final @Nullable RunLimiter run;

    private final TicketSpec spec;
    private final long grantedAt;
    private final long tie;
    private final int item;
    private final List<SharedDemand> demands;
    /** Its index among the allocations of the run. */
    private int placeInRun;

    /** Its indexes at the limits of the first two demands. Most allocations have no more, and so need no array. */
    private int firstPlace;

    private int secondPlace;
    /** Its indexes at the other limits, in the order of the demands. */
    private final int[] otherPlaces;

    private List<LimitStart> starts = List.of();
    private boolean held = true;
    private boolean rests;
    private WaitRecord kept = WaitRecord.BY_NOTHING;

    Allocation(
            @Nullable RunLimiter run, TicketSpec spec, Ticket.Entry entry, List<SharedDemand> demands, long grantedAt) {
        this.subject = entry.subject();
        this.run = run;
        this.spec = spec;
        this.tie = entry.tie();
        this.item = entry.item();
        this.demands = demands;
        this.grantedAt = grantedAt;
        this.otherPlaces = demands.size() <= 2 ? NO_PLACES : new int[demands.size() - 2];
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
    public WaitRecord kept() {
        return kept;
    }

    void kept(WaitRecord by) {
        kept = by;
    }

    /** True if the claim that was granted with it is still live. */
    boolean live() {
        return held && subject.holds(this);
    }

    boolean rests() {
        return rests;
    }

    /** Its demand on one of its limits. */
    SharedDemand demandOn(SharedLimit limit) {
        return demands.get(indexOf(limit));
    }

    @Nullable
    RunLimiter run() {
        return run;
    }

    TicketSpec.Local local() {
        return spec.local();
    }

    List<SharedDemand> demands() {
        return demands;
    }

    void takeAll(long now) {
        placeInRun = run == null ? 0 : run.take(this, now);
        for (int i = 0; i < demands.size(); i++) {
            SharedDemand demand = demands.get(i);
            moveTo(i, demand.limit.hold(demand, this));
            LimitStart start = demand.limit.countStart(demand, now);
            if (start != null) {
                remember(start);
            }
        }
    }

    /**
     * Sets whether the time of its release is unpredictable, such as while it waits for a person. While it is, no
     * reservation is made that depends on it.
     */
    public void rest(boolean on) {
        if (rests != on) {
            rests = on;
            if (run != null) {
                run.rest(this, on);
            }
            for (SharedDemand demand : demands) {
                demand.limit.rest(demand, on);
            }
        }
    }

    private void remember(LimitStart start) {
        if (starts.isEmpty()) {
            starts = new ArrayList<>(1);
        }
        starts.add(start);
    }

    /** Counts again what was taken before a restart. The starts are restored separately. */
    void holdAgain() {
        placeInRun = run == null ? 0 : run.hold(this);
        for (int i = 0; i < demands.size(); i++) {
            moveTo(i, demands.get(i).limit.hold(demands.get(i), this));
        }
    }

    void giveBack(long now) {
        if (!held) {
            throw new IllegalStateException(
                    "expected a live allocation, found one that was already returned: " + subject);
        }
        held = false;
        rest(false);
        Allocation moved = run == null ? null : run.giveBack(this, placeInRun);
        if (moved != null) {
            moved.placeInRun = placeInRun;
        }
        for (int i = 0; i < demands.size(); i++) {
            SharedDemand demand = demands.get(i);
            int place = place(i);
            Allocation other = demand.limit.giveBack(demand, place, now);
            if (other != null) {
                other.moveTo(demand.limit, place);
            }
        }
    }

    private int place(int demand) {
        return switch (demand) {
            case 0 -> firstPlace;
            case 1 -> secondPlace;
            default -> otherPlaces[demand - 2];
        };
    }

    private void moveTo(SharedLimit limit, int place) {
        moveTo(indexOf(limit), place);
    }

    private int indexOf(SharedLimit limit) {
        int i = 0;
        while (demands.get(i).limit != limit) {
            i++;
        }
        return i;
    }

    private void moveTo(int demand, int place) {
        switch (demand) {
            case 0 -> firstPlace = place;
            case 1 -> secondPlace = place;
            default -> otherPlaces[demand - 2] = place;
        }
    }
}
