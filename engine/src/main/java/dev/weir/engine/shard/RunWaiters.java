package dev.weir.engine.shard;

import dev.weir.core.state.Move;
import dev.weir.engine.request.TooManyReads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * The callers of a node that wait for the end of a run. A shard wakes them after the commit that ends the run, so they
 * cost its loop nothing while they wait. A caller registers first and reads the run then, so that it misses no end.
 * Safe for use by many threads.
 */
public final class RunWaiters {
    /** The callers of one organisation that may wait at once. */
    public static final int PER_ORGANISATION_MAX = 1_000;

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final Map<String, OrganisationWaiters> byOrg = new ConcurrentHashMap<>();
    private final AtomicLong requests = new AtomicLong();

    /** The waiting callers of one organisation by run. Only {@link Map#compute} of the map above touches it. */
    private static final class OrganisationWaiters {
        /** The callers of each run, by the number of their request. */
        final Map<String, Map<Long, CompletableFuture<Void>>> byRun = new HashMap<>();

        int count;
    }

    /**
     * Registers a caller. The future completes when the run has ended, or when the caller must look at the run again.
     * The caller cancels it when it stops waiting.
     *
     * @throws TooManyReads if too many callers of the organisation wait already
     */
    public CompletableFuture<Void> register(String org, String run) {
        var waiter = new CompletableFuture<Void>();
        long number = requests.incrementAndGet();
        byOrg.compute(org, (ignored, known) -> {
            OrganisationWaiters waiters = known == null ? new OrganisationWaiters() : known;
            if (waiters.count >= PER_ORGANISATION_MAX) {
                throw new TooManyReads(
                        "at most " + PER_ORGANISATION_MAX + " requests of an organisation may wait for runs at once",
                        RETRY_AFTER);
            }
            waiters.count++;
            waiters.byRun.computeIfAbsent(run, key -> new HashMap<>(1)).put(number, waiter);
            return waiters;
        });
        var unused = waiter.whenComplete((result, failure) -> remove(org, run, number));
        return waiter;
    }

    private void remove(String org, String run, long number) {
        byOrg.computeIfPresent(org, (ignored, waiters) -> {
            Map<Long, CompletableFuture<Void>> ofRun = waiters.byRun.get(run);
            if (ofRun != null && ofRun.remove(number) != null) {
                waiters.count--;
                if (ofRun.isEmpty()) {
                    waiters.byRun.remove(run);
                }
            }
            return waiters.count == 0 ? null : waiters;
        });
    }

    /** Returns the callers that wait for the runs that committed moves have ended. */
    List<CompletableFuture<Void>> findEnded(String org, List<Move> moves) {
        if (!byOrg.containsKey(org)) {
            return List.of();
        }
        Set<String> ended = new HashSet<>();
        for (Move move : moves) {
            if (move instanceof Move.RunMoved moved && moved.row().state().ended()) {
                ended.add(moved.run());
            }
        }
        return ended.isEmpty() ? List.of() : find(org, ended::contains);
    }

    /** Returns all waiting callers of an organisation, which must look at their runs again after it was loaded anew. */
    List<CompletableFuture<Void>> findAll(String org) {
        return byOrg.containsKey(org) ? find(org, run -> true) : List.of();
    }

    private List<CompletableFuture<Void>> find(String org, Predicate<String> wanted) {
        List<CompletableFuture<Void>> found = new ArrayList<>();
        byOrg.computeIfPresent(org, (ignored, waiters) -> {
            waiters.byRun.forEach((run, ofRun) -> {
                if (wanted.test(run)) {
                    found.addAll(ofRun.values());
                }
            });
            return waiters;
        });
        return found;
    }

    /** Wakes everyone, because this node closes. */
    public void wakeAll() {
        for (String org : List.copyOf(byOrg.keySet())) {
            find(org, run -> true).forEach(waiter -> waiter.complete(null));
        }
    }

    /** The number of callers that wait. */
    public int size() {
        return byOrg.values().stream().mapToInt(waiters -> waiters.count).sum();
    }
}
