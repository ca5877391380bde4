package dev.weir.engine;

import dev.weir.core.admission.KeySlice;
import dev.weir.core.admission.KeySummary;
import dev.weir.core.explain.KeySnapshot;
import dev.weir.core.explain.OrganisationQueries;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.engine.request.StateQuery;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Lists flow-control keys in an order that the caller chooses. The shard's loop only hands out small slices of
 * summaries and, at the end, the keys of one page; filtering and sorting happen on the caller's thread. If an
 * organisation has many keys, callers share their summaries for a second, so that watching costs the loop little.
 */
public final class KeyPages {
    /** Limits that one query reads, so that it uses about a millisecond of the loop. */
    public static final int SLICE_LIMITS = 4_000;

    /** The time for which summaries of many keys are shared, in nanoseconds. */
    private static final long SHARED_NANOS = 1_000_000_000;

    private static final long ANSWER_TIMEOUT_SECONDS = 30;

    private final Weir weir;
    private final Map<String, SharedSummaries> shared = new ConcurrentHashMap<>();

    /** The summaries of one organisation, and the lock of the caller that reads them. */
    private static final class SharedSummaries {
        private final ReentrantLock lock = new ReentrantLock();
        private volatile @Nullable ReadSummaries latest;

        private @Nullable List<KeySummary> fresh() {
            ReadSummaries read = latest;
            return read != null && System.nanoTime() - read.readAt < SHARED_NANOS ? read.summaries : null;
        }
    }

    /** Summaries, and when they were read. */
    private record ReadSummaries(List<KeySummary> summaries, long readAt) {}

    public KeyPages(Weir weir) {
        this.weir = weir;
    }

    /** The orders of a list. Equal keys are ordered by name. */
    public enum Sort {
        NAME,
        /** The key with the largest share of its capacity or rate in use first. */
        FULLEST,
        /** The key with the most waiting tickets first. */
        WAITING,
        /** The key whose next ticket has waited longest first. */
        OLDEST;

        private double rank(KeySummary key) {
            return switch (this) {
                case NAME -> 0;
                case FULLEST -> -key.fullness();
                case WAITING -> -key.waiting();
                case OLDEST -> key.oldestSince() == Moment.NEVER ? Double.MAX_VALUE : key.oldestSince();
            };
        }
    }

    /** The states by which keys can be selected. */
    public enum State {
        /** Nothing starts under the key, because an operator paused it or a service asked to be called later. */
        PAUSED,
        PINNED,
        /** All of its capacity or rate is used. */
        FULL,
        WAITING;

        private boolean matches(KeySummary key) {
            return switch (this) {
                case PAUSED -> key.paused();
                case PINNED -> key.pinned();
                case FULL -> key.fullness() >= 1;
                case WAITING -> key.waiting() > 0;
            };
        }
    }

    /** The place of a key in a list. */
    public record Position(double rank, String key) implements Comparable<Position> {
        @Override
        public int compareTo(Position other) {
            int byRank = Double.compare(rank, other.rank);
            return byRank != 0 ? byRank : key.compareTo(other.key);
        }
    }

    /**
     * A request for one page.
     *
     * @param state the state that the keys must have; absent for all keys
     * @param after the place of the last key of the previous page; absent for the first page
     */
    public record PageQuery(
            String prefix,
            @Nullable State state,
            Sort sort,
            @Nullable Position after,
            int limit) {
        private boolean matches(KeySummary key) {
            return key.key().startsWith(prefix) && (state == null || state.matches(key));
        }
    }

    /**
     * One page.
     *
     * @param totals sums over all keys that match
     * @param next the place of its last key; absent if no page follows
     * @param now the time of its entries
     */
    public record Page(
            List<KeySnapshot> keys, Totals totals, @Nullable Position next, long now) {}

    /** Sums over keys. A ticket that two keys refuse counts at both. */
    public record Totals(int keys, long waiting, long used) {}

    /** Returns a page. The order and the totals can be a second old if there are many keys; the entries are current. */
    public Page page(String org, PageQuery query) throws ExecutionException, TimeoutException, InterruptedException {
        var first = new PriorityQueue<Position>(query.limit + 2, Comparator.reverseOrder());
        int keys = 0;
        long waiting = 0;
        long used = 0;
        for (KeySummary summary : summaries(org)) {
            if (!query.matches(summary)) {
                continue;
            }
            keys++;
            waiting += summary.waiting();
            used += summary.used();
            var position = new Position(query.sort.rank(summary), summary.key());
            if (query.after == null || position.compareTo(query.after) > 0) {
                first.add(position);
                if (first.size() > query.limit + 1) {
                    first.remove();
                }
            }
        }
        List<Position> positions = new ArrayList<>(first);
        Collections.sort(positions);
        boolean hasMore = positions.size() > query.limit;
        List<Position> shown = hasMore ? positions.subList(0, query.limit) : positions;
        Position next = hasMore ? shown.getLast() : null;
        return read(org, shown, new Totals(keys, waiting, used), next);
    }

    /** Reads the present state of the keys of a page. A key that has gone meanwhile is left out. */
    private Page read(String org, List<Position> shown, Totals totals, @Nullable Position next)
            throws ExecutionException, TimeoutException, InterruptedException {
        List<LimitId.Key> ids =
                shown.stream().map(position -> new LimitId.Key(position.key)).toList();
        return query(org, (organisation, now) -> {
            var queries = new OrganisationQueries(organisation, now);
            return new Page(queries.keys(ids).stream().map(queries::snapshot).toList(), totals, next, now);
        });
    }

    private List<KeySummary> summaries(String org) throws ExecutionException, TimeoutException, InterruptedException {
        SharedSummaries known = shared.get(org);
        List<KeySummary> fresh = known == null ? null : known.fresh();
        if (fresh != null) {
            return fresh;
        }
        KeySlice slice = slice(org, KeySlice.START);
        return slice.end() == KeySlice.END ? slice.keys() : sharedSummaries(org, slice);
    }

    /** Returns the summaries of many keys. One caller at a time reads them, and the others wait for the result. */
    private List<KeySummary> sharedSummaries(String org, KeySlice firstSlice)
            throws ExecutionException, TimeoutException, InterruptedException {
        shared.values().removeIf(each -> !each.lock.isLocked() && each.fresh() == null);
        SharedSummaries own = shared.computeIfAbsent(org, ignored -> new SharedSummaries());
        own.lock.lockInterruptibly();
        try {
            List<KeySummary> fresh = own.fresh();
            if (fresh != null) {
                return fresh;
            }
            List<KeySummary> all = readAll(org, firstSlice);
            own.latest = new ReadSummaries(all, System.nanoTime());
            return all;
        } finally {
            own.lock.unlock();
        }
    }

    /** Reads all slices. A key that was dropped and used again between two slices is in both; the later one counts. */
    private List<KeySummary> readAll(String org, KeySlice firstSlice)
            throws ExecutionException, TimeoutException, InterruptedException {
        Map<String, KeySummary> all = new HashMap<>();
        KeySlice slice = firstSlice;
        while (true) {
            slice.keys().forEach(summary -> all.put(summary.key(), summary));
            if (slice.end() == KeySlice.END) {
                return List.copyOf(all.values());
            }
            slice = slice(org, slice.end());
        }
    }

    private KeySlice slice(String org, long after) throws ExecutionException, TimeoutException, InterruptedException {
        return query(
                org, (organisation, now) -> new OrganisationQueries(organisation, now).keySlice(after, SLICE_LIMITS));
    }

    private <T> T query(String org, StateQuery<T> query)
            throws ExecutionException, TimeoutException, InterruptedException {
        return weir.query(org, query).get(ANSWER_TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }
}
