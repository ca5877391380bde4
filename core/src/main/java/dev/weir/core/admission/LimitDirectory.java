package dev.weir.core.admission;

import static java.util.Comparator.reverseOrder;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import dev.weir.core.limit.Pin;
import dev.weir.core.limit.Rate;
import dev.weir.core.limit.RateUsage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
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
     * Flow-control keys in the order of their names, after the given one. It compares every name, but computes few
     * snapshots.
     */
    public List<LimitSnapshot> keys(String prefix, String after, int max, long now) {
        var first = new PriorityQueue<SharedLimit>(max + 1, Comparator.comparing(limit -> limit.id, reverseOrder()));
        for (SharedLimit limit : queues.registry.limits()) {
            if (limit.id instanceof LimitId.Key key
                    && key.name().startsWith(prefix)
                    && key.name().compareTo(after) > 0) {
                first.add(limit);
                if (first.size() > max) {
                    first.remove();
                }
            }
        }
        return first.stream()
                .sorted(Comparator.comparing(limit -> limit.id))
                .map(limit -> snapshot(limit, 0, now))
                .toList();
    }

    /** The ids of the known flow-control keys, in no particular order. */
    public List<LimitId.Key> keyIds(int max) {
        List<LimitId.Key> ids = new ArrayList<>();
        for (SharedLimit limit : queues.registry.limits()) {
            if (limit.id instanceof LimitId.Key key && ids.size() < max) {
                ids.add(key);
            }
        }
        return ids;
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

    /** The number of flow-control keys with this prefix, the tickets that wait for them, and their usage. */
    public Totals totals(String prefix, long now) {
        int keys = 0;
        long waiting = 0;
        long used = 0;
        List<Ticket> reservers = queues.reservation.reservers();
        for (SharedLimit limit : queues.registry.limits()) {
            if (limit.id instanceof LimitId.Key key && key.name().startsWith(prefix)) {
                keys++;
                waiting += Waitlist.size(limit, reservers, now);
                used += limit.used();
            }
        }
        return new Totals(keys, waiting, used);
    }

    /** Sums over flow-control keys. A ticket that two keys refuse counts at both. */
    public record Totals(int keys, long waiting, long used) {}

    /** Every known shared limit, in the order of its id. */
    public List<LimitSnapshot> limits(long now) {
        return queues.registry.limits().stream()
                .sorted((one, other) -> one.id.compareTo(other.id))
                .map(limit -> snapshot(limit, Integer.MAX_VALUE, now))
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
                limit.used(),
                parallelism == 0 || parallelism == LimitNeed.UNLIMITED ? null : (Integer) parallelism,
                rate,
                usage == null ? 0 : usage.used(now),
                usage == null ? now : usage.windowStart(now),
                limit.isPaused(now),
                pin,
                limit.allocations.subjects(maxHolders));
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
