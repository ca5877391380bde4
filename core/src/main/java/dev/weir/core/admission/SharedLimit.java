package dev.weir.core.admission;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.limit.Need;
import dev.weir.core.limit.Pin;
import dev.weir.core.limit.Rate;
import dev.weir.core.limit.RateBook;
import dev.weir.core.limit.RateUsage;
import dev.weir.core.limit.Start;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A limit that several runs share: a capacity and a rate, an operator's pin and pause, and the classes parked at it. */
final class SharedLimit extends Place {
    private static final long NOT_PAUSED = Long.MIN_VALUE;

    final LimitId.Shared id;
    private final long order;
    private List<Demand> demands = List.of();
    private final Holders holders = new Holders();
    /** The starts, once anybody has a rate here. */
    private @Nullable RateBook book;

    private final Departures departures = new Departures();
    private int used;
    /** What is used by those of whom nobody knows when they will give it back. */
    private int resting;

    private @Nullable Pin pin;
    private int pinnedParallelism;
    private @Nullable Rate pinnedRate;
    private @Nullable RateUsage pinnedUsage;
    private long pausedUntil = NOT_PAUSED;
    /** What the ticket asks for that room is kept for, if it is. */
    private @Nullable Demand kept;
    /** The oldest ticket, as far as is known, that needs this limit too but is parked at another. */
    private @Nullable Ticket bystander;

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
        var demand = new Demand(this, need, need.rate() == null ? null : book().usage(need.rate()));
        List<Demand> more = new ArrayList<>(demands);
        more.add(demand);
        demands = List.copyOf(more);
        return demand;
    }

    void dropIfUnused(Demand demand) {
        if (demand.classes == 0 && demand.holdings == 0) {
            demands = demands.stream().filter(other -> other != demand).toList();
        }
    }

    List<Demand> demands() {
        return demands;
    }

    int parallelism(Demand demand) {
        return pinnedParallelism > 0 ? pinnedParallelism : demand.parallelism;
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
        Cause capacity = capacityCause(demand, self);
        return capacity != null ? capacity : rateCause(demand, now);
    }

    @Nullable
    Cause capacityCause(Demand demand, boolean self) {
        int capacity = parallelism(demand);
        int weight = demand.weight;
        if (weight == Need.LENT) {
            return null;
        }
        if (weight > capacity) {
            return Cause.OVER_CAPACITY;
        }
        if (used > capacity - weight) {
            return Cause.CAPACITY;
        }
        return !self && used > ceiling() - weight ? Cause.RESERVED : null;
    }

    /** What others may fill the capacity up to, so that the ticket that room is kept for still fits. */
    private int ceiling() {
        int capacity = kept == null ? Need.UNLIMITED : parallelism(kept);
        return kept == null || capacity == Need.UNLIMITED ? Need.UNLIMITED : Math.max(0, capacity - kept.weight);
    }

    @Nullable
    Cause rateCause(Demand demand, long now) {
        RateUsage usage = usage(demand);
        Rate rate = usage == null ? null : rate(demand.need);
        if (rate == null || usage == null) {
            return null;
        }
        int cost = demand.need.cost();
        if (cost > rate.count()) {
            return Cause.OVER_CAPACITY;
        }
        return usage.used(now) > rate.count() - cost ? Cause.RATE : null;
    }

    /** Counts a start against the rates; returns what has to be remembered of it, if anything. */
    @Nullable
    Start countStart(Demand demand, long now) {
        if (book == null) {
            return null;
        }
        boolean opens = book.record(now, demand.need.cost(), usage(demand));
        return new Start(id, now, demand.need.cost(), rate(demand.need), opens, book.longestPeriod());
    }

    /** Takes what the demand asks of the capacity; returns the holder's place. */
    int hold(Demand demand, Holding holding) {
        demand.holdings++;
        used += demand.weight;
        return holders.add(holding);
    }

    /** Gives back what the holder in that place took; returns the one that has moved there, if any. */
    @Nullable
    Holding giveBack(Demand demand, int place, long now) {
        used -= demand.weight;
        demand.holdings--;
        dropIfUnused(demand);
        if (waiting > 0) {
            departures.add(now);
        }
        return holders.remove(place);
    }

    void rest(Demand demand, boolean on) {
        resting += on ? demand.weight : -demand.weight;
    }

    /** Whether a ticket of this demand would fit if all had given back who will. */
    boolean willFit(Demand demand) {
        return demand.weight == Need.LENT || demand.weight <= parallelism(demand) - resting;
    }

    /** The best bay of those that wait to be looked at, and whose demand is not refused here. */
    @Nullable
    Bay bestOpen(long now) {
        Bay best = null;
        for (int i = 0; i < demands.size(); i++) {
            Demand demand = demands.get(i);
            Bay bay = demand.parked.peek();
            if (bay == null || bay.scout != null || demand.refuses(false, now)) {
                continue;
            }
            if (best == null || bay.before(best)) {
                best = bay;
            }
        }
        return best;
    }

    /** The oldest ticket at the head of a parked class that would fit if there were more room. */
    @Nullable
    Ticket oldestShortOfRoom() {
        Ticket oldest = null;
        for (int i = 0; i < demands.size(); i++) {
            Demand demand = demands.get(i);
            Bay bay = demand.parked.peek();
            Ticket head = bay == null ? null : bay.best().head();
            if (head != null && (oldest == null || head.before(oldest)) && shortOfRoom(demand)) {
                oldest = head;
            }
        }
        return oldest;
    }

    private boolean shortOfRoom(Demand demand) {
        Cause cause = capacityCause(demand, false);
        return cause == Cause.CAPACITY || cause == Cause.RESERVED;
    }

    /** Notes a ticket that needs this limit and waits at another, so that it is not forgotten when others go before it. */
    void passBy(Ticket ticket) {
        Ticket known = bystander;
        if (known == null || !known.waits() || ticket.before(known)) {
            bystander = ticket;
        }
    }

    /** The ticket that waits at another limit and had better not be overtaken here for ever. */
    @Nullable
    Ticket bystander() {
        return bystander != null && bystander.waits() ? bystander : null;
    }

    /** When the limit changes by itself: a rate has room for somebody parked, a pin or a pause ends. */
    long nextChange(long now) {
        long next = pin == null ? Moment.NEVER : pin.until();
        if (pausedUntil > now) {
            return Math.min(next, pausedUntil);
        }
        if (demands.isEmpty()) {
            return pin == null && holders.isEmpty() ? Math.max(now + 1, quietAt()) : next;
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
        RateUsage usage = usage(demand);
        Rate rate = usage == null ? null : rate(demand.need);
        if (rate == null || usage == null || demand.need.cost() > rate.count()) {
            return Moment.NEVER;
        }
        long at = usage.fitsAt(rate.count(), demand.need.cost(), now);
        return at > now ? at : Moment.NEVER;
    }

    /** Ends what has come to its end; returns when the pin does that is in force now. */
    long expire(long now) {
        if (pin != null && pin.until() <= now) {
            unpin();
        }
        if (pausedUntil <= now) {
            pausedUntil = NOT_PAUSED;
        }
        return pin == null ? Moment.NEVER : pin.until();
    }

    void pin(Pin values) {
        pin = values;
        pinnedParallelism = values.parallelism() == null ? 0 : values.parallelism();
        pinnedRate = values.rate();
        pinnedUsage = values.rate() == null ? null : book().usage(values.rate());
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

    /** What counts against the rate that an operator has set. */
    @Nullable
    RateUsage pinnedUsage() {
        return pinnedUsage;
    }

    RateBook book() {
        if (book == null) {
            book = new RateBook();
        }
        return book;
    }

    /** Forgets the starts that were counted. */
    void resetRate() {
        if (book != null) {
            book.reset();
        }
    }

    private long quietAt() {
        return book == null ? Long.MIN_VALUE : book.quietAt();
    }

    /** When the {@code nth} next place comes free, as far as the last departures tell. */
    OptionalLong nthDeparture(long nth, long now) {
        return departures.nth(nth, now);
    }

    Holders holders() {
        return holders;
    }

    int used() {
        return used;
    }

    /** Keeps room for a ticket with this demand: others may fill the capacity only as far as it still fits. */
    void reserve(@Nullable Demand demand) {
        kept = demand;
    }

    /** Whether nothing is known of this limit that a new one would not know. */
    boolean forgettable(long now) {
        return demands.isEmpty() && holders.isEmpty() && pin == null && pausedUntil <= now && quietAt() <= now;
    }

    @Override
    public String toString() {
        return id.text();
    }
}
