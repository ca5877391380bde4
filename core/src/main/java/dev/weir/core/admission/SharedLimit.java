package dev.weir.core.admission;

import dev.weir.core.limit.CountedStart;
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
    private final MissingStarts missingStarts;
    private final RunKeyPins.InheritedPin inherited;
    private List<SharedDemand> demands = List.of();
    final Allocations allocations = new Allocations();
    final NewestGrant newestGrant = new NewestGrant();
    /** The counted starts; null until somebody has a rate here. */
    private @Nullable RateTracker rateTracker;

    private final ReleaseHistory releases = new ReleaseHistory();
    /** Capacity in use. The sweep recomputes it from live claims (see {@link UsageCheck}). */
    int used;
    /** Capacity in use by allocations whose release cannot be predicted, such as those that wait for a person. */
    int openEndedUse;

    /** The levels of usage that were reached; null until one was. */
    @Nullable
    UsageLevels levels;

    private PinnedValues pinned = PinnedValues.NONE;
    private long pausedUntil = NOT_PAUSED;
    /** The ticket with the capacity reservation, if any, and its demand on this limit. */
    private @Nullable Ticket reservedFor;

    private @Nullable SharedDemand reservedDemand;
    /** The reservation of this limit's rate windows, if any. */
    @Nullable
    WindowReservation windowReservation;

    /** The oldest known ticket that also needs this limit but is parked at another. */
    private @Nullable Ticket oldestParkedElsewhere;

    /** Number of waiting tickets that need this limit. */
    int waitingCount;
    /** Number of classes parked here. */
    int parkedCount;

    SharedLimit(LimitId.Shared id, long order, MissingStarts missingStarts, RunKeyPins.InheritedPin inherited) {
        this.id = id;
        this.order = order;
        this.missingStarts = missingStarts;
        this.inherited = inherited;
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
        var demand = new SharedDemand(
                this, need, need.rate() == null ? null : rateTracker().usage(need.rate()));
        List<SharedDemand> more = new ArrayList<>(demands);
        more.add(demand);
        demands = List.copyOf(more);
        return demand;
    }

    void dropIfUnused(SharedDemand demand) {
        if (demand.classes().isEmpty() && demand.allocationCount == 0) {
            demands = demands.stream().filter(other -> other != demand).toList();
        }
    }

    List<SharedDemand> demands() {
        return demands;
    }

    int parallelism(SharedDemand demand) {
        int set = pinned.parallelism() > 0 ? pinned.parallelism() : inherited.parallelism;
        return set > 0 ? set : demand.parallelism;
    }

    @Nullable
    Rate rate(LimitNeed need) {
        return pinned.rate() != null ? pinned.rate() : need.rate();
    }

    @Nullable
    RateUsage usage(SharedDemand demand) {
        return pinned.usage() != null ? pinned.usage() : demand.usage;
    }

    /** Judges a ticket of this demand. A null {@code requester} has no reservation. */
    LimitVerdict judge(SharedDemand demand, @Nullable Ticket requester, long now) {
        if (pausedUntil > now) {
            return HoldCause.PAUSED;
        }
        LimitVerdict capacity = judgeCapacity(demand, requester != null && requester == reservedFor);
        return capacity.admits() ? judgeRate(demand, requester, now) : capacity;
    }

    /** Judges by the capacity. {@code ownsReservation} is true if the reservation belongs to the requester. */
    LimitVerdict judgeCapacity(SharedDemand demand, boolean ownsReservation) {
        int capacity = parallelism(demand);
        int weight = demand.weight;
        if (weight == LimitNeed.NO_WEIGHT) {
            return Verdict.Admit.INSTANCE;
        }
        if (weight > capacity) {
            return HoldCause.OVER_CAPACITY;
        }
        if (used > capacity - weight) {
            return HoldCause.CAPACITY;
        }
        return LimitVerdict.refuseIf(!ownsReservation && used > unreservedCapacity() - weight, HoldCause.RESERVED);
    }

    /** The usage up to which others may fill the capacity, so that the ticket with the reservation still fits. */
    private int unreservedCapacity() {
        int capacity = reservedDemand == null ? LimitNeed.UNLIMITED : parallelism(reservedDemand);
        return reservedDemand == null || capacity == LimitNeed.UNLIMITED
                ? LimitNeed.UNLIMITED
                : Math.max(0, capacity - reservedDemand.weight);
    }

    /** Judges by the rate. A start without a rate of its own also counts against the rates of others. */
    LimitVerdict judgeRate(SharedDemand demand, @Nullable Ticket requester, long now) {
        RateUsage usage = usage(demand);
        Rate rate = usage == null ? null : rate(demand.need);
        if (rate != null && usage != null) {
            int cost = demand.need.cost();
            if (cost > rate.count()) {
                return HoldCause.OVER_CAPACITY;
            }
            if (usage.lacksStarts(now)) {
                missingStarts.request(this);
                return HoldCause.RATE;
            }
            if (usage.used(now) > rate.count() - cost) {
                return HoldCause.RATE;
            }
        }
        return LimitVerdict.refuseIf(
                windowReservation != null && windowReservation.isDelayedBy(demand, requester, now), HoldCause.RESERVED);
    }

    /** Counts a start, also against the rates. Returns the record that must be stored, if any. */
    @Nullable
    LimitStart countStart(SharedDemand demand, long now) {
        if (demand.weight != LimitNeed.NO_WEIGHT) {
            newestGrant.judgedByCapacity(parallelism(demand));
        }
        if (rateTracker == null) {
            return null;
        }
        Rate rate = rate(demand.need);
        newestGrant.judgedByRate(rate);
        boolean opens = rateTracker.record(now, demand.need.cost(), usage(demand));
        return new LimitStart(id, now, demand.need.cost(), rate, opens, rateTracker.longestPeriod());
    }

    /** Counts a start from before a restart again. */
    void restore(LimitStart start) {
        newestGrant.judgedByRate(start.rate());
        rateTracker().restore(start);
    }

    /** Takes the demand's share of the capacity. Returns the index of the allocation. */
    int allocate(SharedDemand demand, Allocation allocation) {
        demand.allocationCount++;
        used += demand.weight;
        return allocations.add(allocation);
    }

    /** Releases what the allocation at that index took. Returns the allocation that moved there, if any. */
    @Nullable
    Allocation release(SharedDemand demand, int index, long now) {
        used -= demand.weight;
        demand.allocationCount--;
        dropIfUnused(demand);
        if (waitingCount > 0) {
            releases.add(now);
        }
        return allocations.remove(index);
    }

    void countOpenEnded(SharedDemand demand, boolean on) {
        openEndedUse += on ? demand.weight : -demand.weight;
    }

    /** True if a ticket of this demand would fit after every predictable release. */
    boolean willFit(SharedDemand demand) {
        return demand.weight == LimitNeed.NO_WEIGHT || demand.weight <= parallelism(demand) - openEndedUse;
    }

    /** The best group of parked classes that waits to be judged and whose demand this limit does not refuse. */
    @Nullable
    ParkedClasses bestAdmissible(long now) {
        ParkedClasses best = null;
        for (int i = 0; i < demands.size(); i++) {
            SharedDemand demand = demands.get(i);
            ParkedClasses parkedGroup = demand.parkedGroups.peek();
            if (parkedGroup == null
                    || parkedGroup.representative != null
                    || !demand.judge(null, now).admits()) {
                continue;
            }
            if (best == null || parkedGroup.isBefore(best)) {
                best = parkedGroup;
            }
        }
        return best;
    }

    /** Notes a ticket that needs this limit but is parked at another, so that overtaking it here is counted. */
    void noteParkedElsewhere(Ticket ticket) {
        Ticket known = oldestParkedElsewhere;
        if (known == null || !known.isWaiting() || ticket.isBefore(known)) {
            oldestParkedElsewhere = ticket;
        }
    }

    /** The ticket parked at another limit that must not be overtaken here for ever. */
    @Nullable
    Ticket oldestParkedElsewhere() {
        return oldestParkedElsewhere != null && oldestParkedElsewhere.isWaiting() ? oldestParkedElsewhere : null;
    }

    /** The time of the next change by itself: a rate has room for a parked ticket, or a pin or pause ends. */
    long nextChange(long now) {
        long next = pinned.nextChange(now);
        if (pausedUntil > now) {
            return Math.min(next, pausedUntil);
        }
        if (demands.isEmpty()) {
            return pinned.pin() == null && allocations.isEmpty() ? Math.max(now + 1, startsExpireAt()) : next;
        }
        for (int i = 0; i < demands.size(); i++) {
            SharedDemand demand = demands.get(i);
            if (!demand.parkedGroups.isEmpty()) {
                next = Math.min(next, nextRateChange(demand, now));
            }
        }
        return next;
    }

    /** The time of the next change of the rate by itself that may admit a ticket of this demand. */
    long nextRateChange(SharedDemand demand, long now) {
        RateUsage usage = usage(demand);
        Rate rate = usage == null ? null : rate(demand.need);
        if (rate == null || usage == null) {
            return reservedUntil(demand, now);
        }
        if (demand.need.cost() > rate.count()) {
            return Moment.NEVER;
        }
        long at = usage.fitsAt(rate.count(), demand.need.cost(), now);
        return at > now ? at : reservedUntil(demand, now);
    }

    /** The time when the windows have room for a ticket of this demand beside the one with the reservation. */
    private long reservedUntil(SharedDemand demand, long now) {
        long at = windowReservation == null ? now : windowReservation.opensAfter(demand, now);
        return at > now ? at : Moment.NEVER;
    }

    /** Ends an expired pin or pause. Returns the time of the pin's next change. */
    long expire(long now) {
        Pin pin = pinned.pin();
        if (pin != null && pin.until() <= now) {
            unpin();
        } else if (pin != null) {
            pin(pin, now);
        }
        if (pausedUntil <= now) {
            pausedUntil = NOT_PAUSED;
        }
        return pinned.nextChange(now);
    }

    /** Applies the values of a pin that are in force now. */
    void pin(Pin pin, long now) {
        Rate rate = pin.rate(now);
        Integer parallelism = pin.parallelism(now);
        RateUsage usage = rate == null ? null : rateTracker().usage(rate);
        pinned = new PinnedValues(pin, parallelism == null ? 0 : parallelism, rate, usage);
        for (Rate replaced : pin.rates()) {
            // A rate that another one replaces for a while still counts the starts of that time.
            rateTracker().track(replaced);
        }
    }

    void unpin() {
        pinned = PinnedValues.NONE;
    }

    void pause(long until) {
        pausedUntil = until;
    }

    void resume() {
        pausedUntil = NOT_PAUSED;
    }

    boolean isPaused(long now) {
        return pausedUntil > now;
    }

    long pausedUntil() {
        return pausedUntil;
    }

    PinnedValues pinned() {
        return pinned;
    }

    List<LimitStart> rememberedStarts() {
        return rateTracker == null ? List.of() : rateTracker.starts(id);
    }

    RateTracker rateTracker() {
        if (rateTracker == null) {
            rateTracker = new RateTracker();
            rateTracker.setKnownFrom(missingStarts.knownFrom());
        }
        return rateTracker;
    }

    void resetRate() {
        if (rateTracker != null) {
            rateTracker.reset();
        }
    }

    /** Records that starts up to this time may be missing. */
    void setKnownFrom(long at) {
        if (rateTracker != null) {
            rateTracker.setKnownFrom(at);
        }
    }

    /** Returns the newest counted starts after a time, oldest first, at most {@code max}. */
    List<CountedStart> newestStarts(long after, int max) {
        return rateTracker == null ? List.of() : rateTracker.newestStarts(after, max);
    }

    /** The time of the newest counted start; {@code Long.MIN_VALUE} if there is none. */
    long newestStartAt() {
        return rateTracker == null ? Long.MIN_VALUE : rateTracker.newestStartAt();
    }

    private long startsExpireAt() {
        return rateTracker == null ? Long.MIN_VALUE : rateTracker.startsExpireAt();
    }

    /** The estimated time of the {@code nth} next release, from the pace of the last ones. */
    OptionalLong nthReleaseAt(long nth, long now) {
        return releases.nthReleaseAt(nth, now);
    }

    /** Reserves room for a ticket with this demand: others may fill the capacity only as far as it still fits. */
    void reserve(@Nullable Ticket ticket, @Nullable SharedDemand demand) {
        reservedFor = ticket;
        reservedDemand = demand;
    }

    /** True if this limit holds no state that a new one would lack. */
    boolean isDroppable(long now) {
        return demands.isEmpty()
                && allocations.isEmpty()
                && pinned.pin() == null
                && pausedUntil <= now
                && startsExpireAt() <= now;
    }

    @Override
    public String toString() {
        return id.text();
    }
}
