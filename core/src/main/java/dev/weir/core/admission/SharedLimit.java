package dev.weir.core.admission;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.limit.Need;
import dev.weir.core.limit.Pin;
import dev.weir.core.limit.Rate;
import dev.weir.core.limit.RateBook;
import dev.weir.core.limit.RateUsage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A limit that several runs share: a capacity and a rate, an operator's pin and pause, and the classes parked at it. */
final class SharedLimit extends Place {
    private static final long NOT_PAUSED = Long.MIN_VALUE;

    final LimitId.Shared id;
    private final long order;
    private final List<Demand> demands = new ArrayList<>(1);
    private final Holders holders = new Holders();
    private final RateBook book = new RateBook();
    private final Departures departures = new Departures();
    private int used;
    private @Nullable Pin pin;
    private int pinnedParallelism;
    private @Nullable Rate pinnedRate;
    private @Nullable RateUsage pinnedUsage;
    private long pausedUntil = NOT_PAUSED;
    /** What others may fill the capacity up to while room is kept for one ticket. */
    private int ceiling = Need.UNLIMITED;
    /** Tickets that wait and have a need for this limit. */
    int waiting;
    /** Classes parked here. */
    int parked;

    SharedLimit(LimitId.Shared id, long order) {
        this.id = id;
        this.order = order;
    }

    @Override
    long order() {
        return order;
    }

    Demand demand(Need need) {
        for (Demand demand : demands) {
            if (demand.need.equals(need)) {
                return demand;
            }
        }
        var demand = new Demand(this, need, need.rate() == null ? null : book.usage(need.rate()));
        demands.add(demand);
        return demand;
    }

    void drop(Demand demand) {
        demands.remove(demand);
    }

    List<Demand> demands() {
        return demands;
    }

    int parallelism(Need need) {
        return pinnedParallelism > 0 ? pinnedParallelism : need.parallelism();
    }

    @Nullable
    Rate rate(Need need) {
        return pinnedRate != null ? pinnedRate : need.rate();
    }

    @Nullable
    RateUsage usage(Demand demand) {
        return pinnedUsage != null ? pinnedUsage : demand.usage;
    }

    /** Why a ticket of this demand cannot start now; {@code self} tells whether room is kept for this very ticket. */
    @Nullable
    Cause cause(Demand demand, boolean self, long now) {
        if (pausedUntil > now) {
            return Cause.PAUSED;
        }
        Cause capacity = capacityCause(demand.need, self);
        return capacity != null ? capacity : rateCause(demand, now);
    }

    @Nullable
    Cause capacityCause(Need need, boolean self) {
        int capacity = parallelism(need);
        int weight = need.weight();
        if (weight > capacity) {
            return Cause.OVER_CAPACITY;
        }
        if (used > capacity - weight) {
            return Cause.CAPACITY;
        }
        return !self && used > ceiling - weight ? Cause.RESERVED : null;
    }

    @Nullable
    Cause rateCause(Demand demand, long now) {
        Rate rate = rate(demand.need);
        RateUsage usage = usage(demand);
        if (rate == null || usage == null) {
            return null;
        }
        int cost = demand.need.cost();
        if (cost > rate.count()) {
            return Cause.OVER_CAPACITY;
        }
        return usage.used(now) > rate.count() - cost ? Cause.RATE : null;
    }

    /** Takes what the demand asks for; tells whether the start has to be remembered for a rate. */
    boolean take(Demand demand, Holders.Seat seat, long now) {
        hold(demand, seat);
        if (!book.counts()) {
            return false;
        }
        book.record(now, demand.need.cost(), usage(demand));
        return true;
    }

    void hold(Demand demand, Holders.Seat seat) {
        used += demand.need.weight();
        holders.add(seat);
    }

    void giveBack(Demand demand, Holders.Seat seat, long now) {
        used -= demand.need.weight();
        holders.remove(seat);
        if (waiting > 0) {
            departures.add(now);
        }
    }

    /** The demand that is not refused here and whose best parked class is the best of all. */
    @Nullable
    Demand bestOpen(long now) {
        Demand best = null;
        for (int i = 0; i < demands.size(); i++) {
            Demand demand = demands.get(i);
            if (demand.parked.isEmpty() || cause(demand, false, now) != null) {
                continue;
            }
            if (best == null || head(demand).before(head(best))) {
                best = demand;
            }
        }
        return best;
    }

    private static TicketClass head(Demand demand) {
        TicketClass head = demand.parked.peek();
        if (head == null) {
            throw new IllegalStateException("expected a demand with a parked class, found none at " + demand.limit.id);
        }
        return head;
    }

    /** The oldest ticket at the head of a parked class. */
    @Nullable
    Ticket oldestParked() {
        Ticket oldest = null;
        for (int i = 0; i < demands.size(); i++) {
            TicketClass head = demands.get(i).parked.peek();
            if (head != null && (oldest == null || head.head().before(oldest))) {
                oldest = head.head();
            }
        }
        return oldest;
    }

    /** When the limit changes by itself: a rate has room for somebody parked, a pin or a pause ends. */
    long nextChange(long now) {
        long next = pin == null ? Moment.NEVER : pin.until();
        if (pausedUntil > now) {
            return Math.min(next, pausedUntil);
        }
        if (demands.isEmpty()) {
            return pin == null && holders.isEmpty() ? Math.max(now + 1, book.quietAt()) : next;
        }
        for (int i = 0; i < demands.size(); i++) {
            Demand demand = demands.get(i);
            if (!demand.parked.isEmpty()) {
                next = Math.min(next, rateChange(demand, now));
            }
        }
        return next;
    }

    private long rateChange(Demand demand, long now) {
        Rate rate = rate(demand.need);
        RateUsage usage = usage(demand);
        if (rate == null || usage == null || demand.need.cost() > rate.count()) {
            return Moment.NEVER;
        }
        long at = usage.fitsAt(rate.count(), demand.need.cost(), now);
        return at > now ? at : Moment.NEVER;
    }

    /** Ends what has come to its end. */
    void expire(long now) {
        if (pin != null && pin.until() <= now) {
            unpin();
        }
        if (pausedUntil <= now) {
            pausedUntil = NOT_PAUSED;
        }
    }

    void pin(Pin values) {
        pin = values;
        pinnedParallelism = values.parallelism() == null ? 0 : values.parallelism();
        pinnedRate = values.rate();
        pinnedUsage = values.rate() == null ? null : book.usage(values.rate());
    }

    void unpin() {
        pin = null;
        pinnedParallelism = 0;
        pinnedRate = null;
        pinnedUsage = null;
    }

    void pause(long until) {
        pausedUntil = until;
    }

    void resume() {
        pausedUntil = NOT_PAUSED;
    }

    boolean paused(long now) {
        return pausedUntil > now;
    }

    long pausedUntil() {
        return pausedUntil;
    }

    @Nullable
    Pin pin() {
        return pin;
    }

    RateBook book() {
        return book;
    }

    Departures departures() {
        return departures;
    }

    Holders holders() {
        return holders;
    }

    int used() {
        return used;
    }

    /** Keeps room for a ticket with this need: others may fill the capacity only as far as it still fits. */
    void reserve(Need need) {
        int capacity = parallelism(need);
        ceiling = capacity == Need.UNLIMITED ? Need.UNLIMITED : Math.max(0, capacity - need.weight());
    }

    void endReservation() {
        ceiling = Need.UNLIMITED;
    }

    /** Whether nothing is known of this limit that a new one would not know. */
    boolean forgettable(long now) {
        return demands.isEmpty() && holders.isEmpty() && pin == null && pausedUntil <= now && book.quietAt() <= now;
    }

    @Override
    public String toString() {
        return id.text();
    }
}
