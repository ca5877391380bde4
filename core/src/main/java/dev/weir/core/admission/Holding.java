package dev.weir.core.admission;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Start;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What a ticket took when it was granted; it is given back once, as a whole. */
public final class Holding {
    static final Comparator<Holding> BY_AGE =
            Comparator.comparingLong(Holding::grantedAt).thenComparingLong(holding -> holding.tie);

    private final Subject subject;
    private final RunGate run;
    private final TicketSpec spec;
    private final long grantedAt;
    private final long tie;
    private final List<Demand> demands;
    final Holders.Seat runSeat;
    private final Holders.Seat[] seats;
    private List<Start> starts = List.of();
    private boolean held = true;

    Holding(RunGate run, TicketSpec spec, Ticket.Entry entry, List<Demand> demands, long grantedAt) {
        this.subject = entry.subject();
        this.run = run;
        this.spec = spec;
        this.tie = entry.tie();
        this.demands = demands;
        this.grantedAt = grantedAt;
        this.runSeat = new Holders.Seat(this);
        this.seats = new Holders.Seat[demands.size()];
        for (int i = 0; i < seats.length; i++) {
            seats[i] = new Holders.Seat(this);
        }
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

    public boolean held() {
        return held;
    }

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
        run.take(this, now);
        for (int i = 0; i < seats.length; i++) {
            Demand demand = demands.get(i);
            if (demand.limit.take(demand, seats[i], now)) {
                remember(new Start(demand.limit.id, now, demand.need.cost(), demand.limit.rate(demand.need)));
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
        run.hold(this);
        for (int i = 0; i < seats.length; i++) {
            demands.get(i).limit.hold(demands.get(i), seats[i]);
        }
    }

    void giveBack(long now) {
        if (!held) {
            throw new IllegalStateException("expected a holding that is still held, found it given back: " + subject);
        }
        held = false;
        run.giveBack(this);
        for (int i = 0; i < seats.length; i++) {
            demands.get(i).limit.giveBack(demands.get(i), seats[i], now);
        }
    }

    /** The shared limits that it counts against. */
    public List<LimitId.Shared> limits() {
        return demands.stream().map(demand -> demand.limit.id).toList();
    }
}
