package dev.weir.core.admission;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import dev.weir.core.limit.LimitStart;
import dev.weir.core.limit.Moment;
import dev.weir.core.limit.Pin;
import dev.weir.core.limit.Rate;
import dev.weir.core.limit.RateTracker;
import dev.weir.core.limit.RateUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A limit that several runs share: a capacity, a rate, an operator's pin and pause, and the parked classes. */
final class SharedLimit extends WaitPoint {
    private static final long NOT_PAUSED = Long.MIN_VALUE;

    final LimitId.Shared id;
    private final long order;
    private final MissingStarts missing;
    private List<SharedDemand> demands = List.of();
    final Allocations holders = new Allocations();
    /** The counted starts; null until somebody has a rate here. */
    private @Nullable RateTracker book;

    private final ReleaseHistory departures = new ReleaseHistory();
    /** Capacity in use. The sweep recomputes it from live claims (see {@link UsageCheck}). */
    int used;
    /** Capacity in use by allocations whose release cannot be predicted, such as those that wait for a person. */
    int resting;

    private @Nullable Pin pin;
    private int pinnedParallelism;
    private @Nullable Rate pinnedRate;
    private @Nullable RateUsage pinnedUsage;
    private long pausedUntil = NOT_PAUSED;
    /** The ticket with the capacity reservation, if any, and its demand on this limit. */
    private @Nullable Ticket keptFor;

    private @Nullable SharedDemand kept;
    /** The reservation of this limit's rate windows, if any. */
    @Nullable
    WindowReservation window;

    /** The oldest known ticket that also needs this limit but is parked at another. */
    private @Nullable Ticket bystander;

    /** Number of waiting tickets that need this limit. */
    int waiting;
    /** Number of classes parked here. */
    int parked;

    SharedLimit(LimitId.Shared id, long order, MissingStarts missing) {
        this.id = id;
        this.order = order;
        this.missing = missing;
    }

    @Override
    long order() {
        return order;
    }

    SharedDemand demand(LimitNeed need) {
        for (SharedDemand demand : demands) {
            if (demand.need.equals(need)) {
                return demand;
            }
        }
        var demand = new SharedDemand(this, need, need.rate() == null ? null : book().usage(need.rate()));
        List<SharedDemand> more = new ArrayList<>(demands);
        more.add(demand);
        demands = List.copyOf(more);
        return demand;
    }

    void dropIfUnused(SharedDemand demand) {
        if (demand.classes().isEmpty() && demand.holdings == 0) {
            demands = demands.stream().filter(other -> other != demand).toList();
        }
    }

    List<SharedDemand> demands() {
        return demands;
    }

    int parallelism(SharedDemand demand) {
        return pinnedParallelism > 0 ? pinnedParallelism : demand.parallelism;
    }

    @Nullable
    Rate rate(LimitNeed need) {
        return pinnedRate != null ? pinnedRate : need.rate();
    }

    @Nullable
    RateUsage usage(SharedDemand demand) {
        return pinnedUsage != null ? pinnedUsage : demand.usage;
    }

    /** The reason why a ticket of this demand cannot start now. A null asker has no reservation. */
    @Nullable
    HoldCause cause(SharedDemand demand, @Nullable Ticket asker, long now) {
        if (pausedUntil > now) {
            return HoldCause.PAUSED;
        }
        HoldCause capacity = capacityCause(demand, asker != null && asker == keptFor);
        return capacity != null ? capacity : rateCause(demand, asker, now);
    }

    /** The refusal by the capacity. {@code self} is true if the reservation belongs to the ticket that asks. */
    @Nullable
    HoldCause capacityCause(SharedDemand demand, boolean self) {
        int capacity = parallelism(demand);
        int weight = demand.weight;
        if (weight == LimitNeed.LENT) {
            return null;
        }
        if (weight > capacity) {
            return HoldCause.OVER_CAPACITY;
        }
        if (used > capacity - weight) {
            return HoldCause.CAPACITY;
        }
        return !self && used > ceiling() - weight ? HoldCause.RESERVED : null;
    }

    /** The usage up to which others may fill the capacity, so that the ticket with the reservation still fits. */
    private int ceiling() {
        int capacity = kept == null ? LimitNeed.UNLIMITED : parallelism(kept);
        return kept == null || capacity == LimitNeed.UNLIMITED
                ? LimitNeed.UNLIMITED
                : Math.max(0, capacity - kept.weight);
    }

    /** The refusal by the rate. A start without a rate of its own also counts against the rates of others. */
    @Nullable
    HoldCause rateCause(SharedDemand demand, @Nullable Ticket asker, long now) {
        RateUsage usage = usage(demand);
        Rate rate = usage == null ? null : rate(demand.need);
        if (rate != null && usage != null) {
            int cost = demand.need.cost();
            if (cost > rate.count()) {
                return HoldCause.OVER_CAPACITY;
            }
            if (usage.lacksStarts(now)) {
                missing.want(this);
                return HoldCause.RATE;
            }
            if (usage.used(now) > rate.count() - cost) {
                return HoldCause.RATE;
            }
        }
        return window != null && window.isPostponedBy(demand, asker, now) ? HoldCause.RESERVED : null;
    }

    /** Counts a start against the rates. Returns the record that must be stored, if any. */
    @Nullable
    LimitStart countStart(SharedDemand demand, long now) {
        if (book == null) {
            return null;
        }
        boolean opens = book.record(now, demand.need.cost(), usage(demand));
        return new LimitStart(id, now, demand.need.cost(), rate(demand.need), opens, book.longestPeriod());
    }

    /** Takes the demand's share of the capacity. Returns the index of the allocation. */
    int hold(SharedDemand demand, Allocation holding) {
        demand.holdings++;
        used += demand.weight;
        return holders.add(holding);
    }

    /** Releases what the allocation at that index took. Returns the allocation that moved there, if any. */
    @Nullable
    Allocation giveBack(SharedDemand demand, int place, long now) {
        used -= demand.weight;
        demand.holdings--;
        dropIfUnused(demand);
        if (waiting > 0) {
            departures.add(now);
        }
        return holders.remove(place);
    }

    void rest(SharedDemand demand, boolean on) {
        resting += on ? demand.weight : -demand.weight;
    }

    /** True if a ticket of this demand would fit after every predictable release. */
    boolean willFit(SharedDemand demand) {
        return demand.weight == LimitNeed.LENT || demand.weight <= parallelism(demand) - resting;
    }

    /** The best group of parked classes that waits to be judged and whose demand this limit does not refuse. */
    @Nullable
    ParkedClasses bestOpen(long now) {
        ParkedClasses best = null;
        for (int i = 0; i < demands.size(); i++) {
            SharedDemand demand = demands.get(i);
            ParkedClasses bay = demand.parked.peek();
            if (bay == null || bay.scout != null || !demand.judge(null, now).admits()) {
                continue;
            }
            if (best == null || bay.before(best)) {
                best = bay;
            }
        }
        return best;
    }

    /** The oldest head of a parked class that would fit if the capacity or a window had more room. */
    @Nullable
    Ticket oldestShortOfRoom(long now) {
        Ticket oldest = null;
        for (int i = 0; i < demands.size(); i++) {
            SharedDemand demand = demands.get(i);
            ParkedClasses bay = demand.parked.peek();
            Ticket head = bay == null ? null : bay.best().head();
            if (head != null && (oldest == null || head.before(oldest)) && shortOfRoom(demand, now)) {
                oldest = head;
            }
        }
        return oldest;
    }

    private boolean shortOfRoom(SharedDemand demand, long now) {
        HoldCause capacity = capacityCause(demand, false);
        HoldCause cause = capacity == null ? rateCause(demand, null, now) : capacity;
        return cause != null && cause != HoldCause.OVER_CAPACITY;
    }

    /** Notes a ticket that needs this limit but is parked at another, so that overtaking it here is counted. */
    void passBy(Ticket ticket) {
        Ticket known = bystander;
        if (known == null || !known.waits() || ticket.before(known)) {
            bystander = ticket;
        }
    }

    /** The ticket parked at another limit that must not be overtaken here for ever. */
    @Nullable
    Ticket bystander() {
        return bystander != null && bystander.waits() ? bystander : null;
    }

    /** The time of the next change by itself: a rate has room for a parked ticket, or a pin or pause ends. */
    long nextChange(long now) {
        long next = pin == null ? Moment.NEVER : pin.nextChange(now);
        if (pausedUntil > now) {
            return Math.min(next, pausedUntil);
        }
        if (demands.isEmpty()) {
            return pin == null && holders.isEmpty() ? Math.max(now + 1, quietAt()) : next;
        }
        for (int i = 0; i < demands.size(); i++) {
            SharedDemand demand = demands.get(i);
            if (!demand.parked.isEmpty()) {
                next = Math.min(next, rateChange(demand, now));
            }
        }
        return next;
    }

    private long rateChange(SharedDemand demand, long now) {
        RateUsage usage = usage(demand);
        Rate rate = usage == null ? null : rate(demand.need);
        if (rate == null || usage == null) {
            return keptUntil(demand, now);
        }
        if (demand.need.cost() > rate.count()) {
            return Moment.NEVER;
        }
        long at = usage.fitsAt(rate.count(), demand.need.cost(), now);
        return at > now ? at : keptUntil(demand, now);
    }

    /** The time when the windows have room for a ticket of this demand beside the one with the reservation. */
    private long keptUntil(SharedDemand demand, long now) {
        long at = window == null ? now : window.opensAfter(demand, now);
        return at > now ? at : Moment.NEVER;
    }

    /** Ends an expired pin or pause. Returns the time of the pin's next change. */
    long expire(long now) {
        if (pin != null && pin.until() <= now) {
            unpin();
        } else if (pin != null) {
            pin(pin, now);
        }
        if (pausedUntil <= now) {
            pausedUntil = NOT_PAUSED;
        }
        return pin == null ? Moment.NEVER : pin.nextChange(now);
    }

    /** Applies the values of a pin that are in force now. */
    void pin(Pin values, long now) {
        Integer parallelism = values.parallelism(now);
        pin = values;
        pinnedParallelism = parallelism == null ? 0 : parallelism;
        pinnedRate = values.rate(now);
        pinnedUsage = pinnedRate == null ? null : book().usage(pinnedRate);
        for (Rate rate : values.rates()) {
            // A rate that another one replaces for a while still counts the starts of that time.
            book().expect(rate);
        }
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

    /** The usage of the rate that an operator has pinned. */
    @Nullable
    RateUsage pinnedUsage() {
        return pinnedUsage;
    }

    RateTracker book() {
        if (book == null) {
            book = new RateTracker();
            book.knownFrom(missing.knownFrom());
        }
        return book;
    }

    void resetRate() {
        if (book != null) {
            book.reset();
        }
    }

    /** Records that starts up to this time may be missing. */
    void knownFrom(long at) {
        if (book != null) {
            book.knownFrom(at);
        }
    }

    /** The time of the newest counted start; {@code Long.MIN_VALUE} if there is none. */
    long newestStart() {
        return book == null ? Long.MIN_VALUE : book.newest();
    }

    private long quietAt() {
        return book == null ? Long.MIN_VALUE : book.quietAt();
    }

    /** The estimated time of the {@code nth} next release, from the pace of the last ones. */
    OptionalLong nthDeparture(long nth, long now) {
        return departures.nth(nth, now);
    }

    int used() {
        return used;
    }

    /** Reserves room for a ticket with this demand: others may fill the capacity only as far as it still fits. */
    void reserve(@Nullable Ticket ticket, @Nullable SharedDemand demand) {
        keptFor = ticket;
        kept = demand;
    }

    /** True if this limit holds no state that a new one would lack. */
    boolean forgettable(long now) {
        return demands.isEmpty() && holders.isEmpty() && pin == null && pausedUntil <= now && quietAt() <= now;
    }

    @Override
    public String toString() {
        return id.text();
    }
}
