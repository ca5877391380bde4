package dev.weir.core.admission;

import dev.weir.core.limit.Rate;
import dev.weir.core.limit.RateUsage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The reservation of one ticket in the windows of its rates, on each limit that has a rate for it. Others may start
 * there as long as that does not delay the ticket.
 */
final class WindowReservation {
    final Ticket ticket;
    /** The ticket's demands on the limits whose windows are reserved for it. */
    final List<SharedDemand> demands;

    private long refreshedAt = Long.MIN_VALUE;
    /** The time when all of the rates let the ticket start, if nobody delays it. */
    private long opensAt = Long.MIN_VALUE;

    WindowReservation(Ticket ticket, List<SharedDemand> demands) {
        this.ticket = ticket;
        this.demands = demands;
    }

    /** Recomputes when the rates let the ticket start. Returns true if that is later than before. */
    boolean refresh(long now) {
        long before = opensAt;
        refreshedAt = now;
        opensAt = now;
        for (SharedDemand demand : demands) {
            opensAt = Math.max(opensAt, opensAt(demand, now));
        }
        return before != Long.MIN_VALUE && opensAt > Math.max(before, now);
    }

    /** The time when the rates let the ticket start; null if they do now. */
    @Nullable
    Long laterOpening() {
        return opensAt > refreshedAt ? (Long) opensAt : null;
    }

    /** True if another ticket, of this demand, must not start now because it would delay this one. */
    boolean isDelayedBy(SharedDemand other, @Nullable Ticket requester, long now) {
        return !yieldsTo(requester) && opensAfter(other, now) > Math.max(opensAt, now);
    }

    /**
     * True if the requester has an older reservation. A ticket with a reservation waits only for older ones; otherwise two
     * could wait for each other's limits.
     */
    private boolean yieldsTo(@Nullable Ticket requester) {
        return requester != null && requester.reservesWindows && !ticket.isBefore(requester);
    }

    /** The time when the rate of that limit lets the ticket start if another ticket of this demand starts now. */
    long opensAfter(SharedDemand other, long now) {
        SharedDemand own = demandOn(other.limit);
        RateUsage usage = own.limit.usage(own);
        Rate rate = own.limit.rate(own.need);
        if (rate == null || usage == null) {
            return now;
        }
        return usage.fitsAfter(rate, own.need.cost(), other.need.cost(), other.limit.usage(other) == usage, now);
    }

    private static long opensAt(SharedDemand demand, long now) {
        RateUsage usage = demand.limit.usage(demand);
        Rate rate = demand.limit.rate(demand.need);
        return rate == null || usage == null ? now : usage.fitsAt(rate.count(), demand.need.cost(), now);
    }

    private SharedDemand demandOn(SharedLimit limit) {
        for (int i = 0; i < demands.size(); i++) {
            if (demands.get(i).limit == limit) {
                return demands.get(i);
            }
        }
        throw new IllegalStateException("expected a reservation on " + limit + ", found none of " + ticket);
    }
}
