package dev.weir.core.admission;

import dev.weir.core.admission.Explanation.Expected;
import dev.weir.core.limit.CountedStart;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import dev.weir.core.limit.LimitStart;
import dev.weir.core.limit.Pin;
import dev.weir.core.limit.Rate;
import dev.weir.core.limit.RateUsage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lists the shared limits that admission knows, for queries. */
public final class LimitDirectory {
    /** The most different needs that {@link #tooWide} lists. */
    private static final int TOO_WIDE_MAX = 10;

    private final TicketQueues queues;

    LimitDirectory(TicketQueues queues) {
        this.queues = queues;
    }

    /**
     * Summaries of the flow-control keys among the next limits, oldest limit first. A reader who takes one slice after
     * the other sees every key that exists all the time exactly once.
     *
     * @param after the end of the previous slice; {@link KeySlice#START} for the first
     * @param max the number of limits to look at
     */
    public KeySlice slice(long after, int max, long now) {
        List<KeySummary> keys = new ArrayList<>();
        int seen = 0;
        for (SharedLimit limit : queues.registry.limitsAfter(after)) {
            if (limit.id instanceof LimitId.Key key) {
                keys.add(KeySummary.of(key.name(), snapshot(limit, 0, now)));
            }
            seen++;
            if (seen == max) {
                return new KeySlice(keys, limit.order());
            }
        }
        return new KeySlice(keys, KeySlice.END);
    }

    /**
     * Checks the flow-control keys among the next limits: none may have more in use than the values allowed that judged
     * its newest start. The present values cannot tell, because an operator may have lowered them since.
     *
     * @param after the end of the previous slice; {@link KeySlice#START} for the first
     * @param max the number of limits to look at
     */
    public OveruseSlice overuse(long after, int max, long now) {
        List<Overuse> capacities = new ArrayList<>();
        List<Overuse> rates = new ArrayList<>();
        int checked = 0;
        int seen = 0;
        for (SharedLimit limit : queues.registry.limitsAfter(after)) {
            if (limit.id instanceof LimitId.Key key) {
                checked++;
                addIfPresent(limit.newestGrant.findCapacityOveruse(key, limit), capacities);
                addIfPresent(limit.newestGrant.findRateOveruse(key, limit, now), rates);
            }
            seen++;
            if (seen == max) {
                return new OveruseSlice(checked, capacities, rates, limit.order());
            }
        }
        return new OveruseSlice(checked, capacities, rates, KeySlice.END);
    }

    private static void addIfPresent(@Nullable Overuse overuse, List<Overuse> to) {
        if (overuse != null) {
            to.add(overuse);
        }
    }

    /**
     * Snapshots of those of the given keys that are still known. The cost depends only on them, not on the number of
     * all keys.
     */
    public List<LimitSnapshot> keys(List<LimitId.Key> ids, long now) {
        List<LimitSnapshot> snapshots = new ArrayList<>();
        for (LimitId.Key id : ids) {
            SharedLimit limit = queues.registry.findLimit(id);
            if (limit != null) {
                snapshots.add(snapshot(limit, 0, now));
            }
        }
        return snapshots;
    }

    /** Every known shared limit, in the order of its id. */
    public List<LimitSnapshot> limits(long now) {
        return queues.registry.limits().stream()
                .sorted((one, other) -> one.id.compareTo(other.id))
                .map(limit -> snapshot(limit, Integer.MAX_VALUE, now))
                .toList();
    }

    /** The number of waiting tickets that need a limit, whatever holds them. */
    public int waitingFor(LimitId.Shared id) {
        SharedLimit limit = queues.registry.findLimit(id);
        return limit == null ? 0 : limit.waitingCount;
    }

    /** The starts that the rates of a limit remember, oldest first. Restored elsewhere, they give the same usage. */
    public List<LimitStart> rememberedStarts(LimitId.Shared id) {
        SharedLimit limit = queues.registry.findLimit(id);
        return limit == null ? List.of() : limit.rememberedStarts();
    }

    /** The limits that refuse the most tickets now, without those that refuse none. */
    public List<LimitSnapshot> mostRefusing(int max, long now) {
        return queues.registry.limits().stream()
                .filter(limit -> limit.waitingCount > 0)
                .map(limit -> snapshot(limit, 0, now))
                .filter(snapshot -> snapshot.waiting() > 0)
                .sorted(Comparator.comparingInt(LimitSnapshot::waiting)
                        .reversed()
                        .thenComparing(LimitSnapshot::limit))
                .limit(max)
                .toList();
    }

    LimitSnapshot snapshot(SharedLimit limit, int maxHolders, long now) {
        // An operator's values are shown even while nobody asks for the limit.
        Pin pin = limit.pinned().pin();
        Integer pinned = pin == null ? null : pin.parallelism(now);
        int parallelism = pinned == null ? 0 : pinned;
        Rate rate = pin == null ? null : pin.rate(now);
        RateUsage usage = limit.pinned().usage();
        for (SharedDemand demand : limit.demands()) {
            parallelism = Math.max(parallelism, limit.parallelism(demand));
            Rate own = limit.rate(demand.need);
            if (own != null && (rate == null || own.count() > rate.count())) {
                rate = own;
                usage = limit.usage(demand);
            }
        }
        return new LimitSnapshot(
                limit.id,
                Waitlist.size(limit, queues.reservation.reservers(), now),
                limit.waitingCount,
                Waitlist.oldestSince(limit, now),
                limit.used,
                parallelism == 0 || parallelism == LimitNeed.UNLIMITED ? null : (Integer) parallelism,
                rate,
                usage == null ? 0 : usage.used(now),
                usage == null ? now : usage.windowStart(now),
                limit.isPaused(now),
                pin,
                limit.allocations.subjects(maxHolders));
    }

    /**
     * Returns the newest starts that the rate in force of a limit counts, oldest first, at most {@code max}.
     */
    public List<CountedStart> rateStarts(LimitId.Shared id, int max, long now) {
        SharedLimit limit = queues.registry.findLimit(id);
        if (limit == null) {
            return List.of();
        }
        LimitSnapshot snapshot = snapshot(limit, 0, now);
        return snapshot.rate() == null ? List.of() : limit.newestStarts(snapshot.windowStart() - 1, max);
    }

    /**
     * Predicts when a limit admits a ticket that it refuses.
     *
     * @param position the number of tickets ahead of it, plus one
     */
    public @Nullable Expected expectedTurn(LimitId.Shared id, Ticket ticket, long position, long now) {
        for (SharedDemand demand : ticket.lane().ticketClass.demands) {
            if (demand.limit.id.equals(id)) {
                return TurnForecast.turn(demand, ticket, position, now);
            }
        }
        return null;
    }

    /**
     * The tickets that wait for a limit and are wider than its present values, so that they cannot start until these
     * change. An operator is told about them when a pin makes them so.
     */
    public List<TooWide> tooWide(LimitId.Shared id) {
        SharedLimit limit = queues.registry.findLimit(id);
        if (limit == null) {
            return List.of();
        }
        List<TooWide> found = new ArrayList<>();
        for (SharedDemand demand : limit.demands()) {
            TooWide tooWide = demand.eligibleCount > 0 ? findTooWide(limit, demand) : null;
            if (tooWide != null && found.size() < TOO_WIDE_MAX) {
                found.add(tooWide);
            }
        }
        return found;
    }

    private static @Nullable TooWide findTooWide(SharedLimit limit, SharedDemand demand) {
        int parallelism = limit.parallelism(demand);
        if (demand.weight != LimitNeed.NO_WEIGHT && demand.weight > parallelism) {
            return new TooWide(demand.eligibleCount, "parallelism", demand.weight, parallelism);
        }
        Rate rate = limit.rate(demand.need);
        return rate != null && demand.need.cost() > rate.count()
                ? new TooWide(demand.eligibleCount, "rate", demand.need.cost(), rate.count())
                : null;
    }

    /**
     * Waiting tickets with the same need, which is greater than a value of their limit.
     *
     * @param value the name of that value: parallelism or rate
     */
    public record TooWide(int tickets, String value, int need, int max) {}
}
