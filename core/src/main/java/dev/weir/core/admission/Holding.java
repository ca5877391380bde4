package dev.weir.core.admission;

import dev.weir.core.limit.Start;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a ticket took when it was granted; it is given back once, as a whole. */
public final class Holding {
    static final Comparator<Holding> BY_AGE = Comparator.comparingLong(Holding::grantedAt)
            .thenComparingLong(holding -> holding.tie)
            .thenComparingInt(holding -> holding.item);

    private static final int[] NO_PLACES = {};

    private final Subject subject;
    /** Absent if it counts against shared limits only. */
    private final @Nullable RunGate run;

    private final TicketSpec spec;
    private final long grantedAt;
    private final long tie;
    private final int item;
    private final List<Demand> demands;
    /** Its place among the holders of the run. */
    private int placeInRun;

    /** Its places among the holders of the first two demands' limits: most have no more, and no array. */
    private int firstPlace;

    private int secondPlace;
    /** Its places among the holders of the other limits, in the order of the demands. */
    private final int[] otherPlaces;

    private List<Start> starts = List.of();
    private boolean held = true;
    private boolean rests;
    private Held kept = Held.BY_NOTHING;

    Holding(@Nullable RunGate run, TicketSpec spec, Ticket.Entry entry, List<Demand> demands, long grantedAt) {
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

    /** The starts that limits with a rate have to remember, beyond this holding's end. */
    public List<Start> starts() {
        return starts;
    }

    /** What had kept its ticket. */
    public Held kept() {
        return kept;
    }

    void kept(Held by) {
        kept = by;
    }

    @Nullable
    RunGate run() {
        return run;
    }

    TicketSpec.Local local() {
        return spec.local();
    }

    List<Demand> demands() {
        return demands;
    }

    void takeAll(long now) {
        placeInRun = run == null ? 0 : run.take(this, now);
        for (int i = 0; i < demands.size(); i++) {
            Demand demand = demands.get(i);
            moveTo(i, demand.limit.hold(demand, this));
            Start start = demand.limit.countStart(demand, now);
            if (start != null) {
                remember(start);
            }
        }
    }

    /** Notes whether nobody knows when it will be given back: nothing is kept for others until then. */
    public void rest(boolean on) {
        if (rests != on) {
            rests = on;
            if (run != null) {
                run.rest(this, on);
            }
            for (Demand demand : demands) {
                demand.limit.rest(demand, on);
            }
        }
    }

    private void remember(Start start) {
        if (starts.isEmpty()) {
            starts = new ArrayList<>(1);
        }
        starts.add(start);
    }

    /** Counts again what was taken before a restart. The starts are remembered on their own. */
    void holdAgain() {
        placeInRun = run == null ? 0 : run.hold(this);
        for (int i = 0; i < demands.size(); i++) {
            moveTo(i, demands.get(i).limit.hold(demands.get(i), this));
        }
    }

    void giveBack(long now) {
        if (!held) {
            throw new IllegalStateException("expected a holding that is still held, found it given back: " + subject);
        }
        held = false;
        rest(false);
        Holding moved = run == null ? null : run.giveBack(this, placeInRun);
        if (moved != null) {
            moved.placeInRun = placeInRun;
        }
        for (int i = 0; i < demands.size(); i++) {
            Demand demand = demands.get(i);
            int place = place(i);
            Holding other = demand.limit.giveBack(demand, place, now);
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
        int i = 0;
        while (demands.get(i).limit != limit) {
            i++;
        }
        moveTo(i, place);
    }

    private void moveTo(int demand, int place) {
        switch (demand) {
            case 0 -> firstPlace = place;
            case 1 -> secondPlace = place;
            default -> otherPlaces[demand - 2] = place;
        }
    }
}
