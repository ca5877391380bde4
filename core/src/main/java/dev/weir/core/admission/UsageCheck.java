package dev.weir.core.admission;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Compares the recorded usage of limits with the live claims, and corrects differences. There should be none: with this
 * check a bug can block a place for seconds, but not until the next restart.
 */
final class UsageCheck {
    /** Maximum shared limits checked in one call. */
    static final int LIMITS_MAX = 2_000;
    /** Number of allocations after which a call begins no further limit. */
    static final int ALLOCATIONS_MAX = 20_000;

    private final TicketQueues queues;
    /** The limits that this round has not yet checked. */
    private final ArrayDeque<SharedLimit> unchecked = new ArrayDeque<>();

    UsageCheck(TicketQueues queues) {
        this.queues = queues;
    }

    /** Checks the next shared limits. Describes what was wrong. */
    List<String> checkNextLimits(long now) {
        if (unchecked.isEmpty()) {
            unchecked.addAll(queues.registry.limits());
        }
        List<String> wrong = new ArrayList<>();
        int checked = 0;
        for (int i = 0; i < LIMITS_MAX && checked < ALLOCATIONS_MAX && !unchecked.isEmpty(); i++) {
            SharedLimit limit = unchecked.remove();
            checked += limit.allocations.size();
            releaseStale(limit.allocations, limit, now, wrong);
            String difference = correct(limit);
            if (difference != null) {
                wrong.add(limit + ": " + difference);
                queues.dirtyQueue.markDirty(limit);
            }
        }
        return wrong;
    }

    /**
     * Recomputes the usage of a limit from its allocations. Describes the difference, or returns null if there is none.
     */
    private static @Nullable String correct(SharedLimit limit) {
        int used = 0;
        int openEnded = 0;
        for (int i = 0; i < limit.allocations.size(); i++) {
            Allocation allocation = limit.allocations.get(i);
            int weight = allocation.demandOn(limit).weight;
            used += weight;
            openEnded += allocation.isOpenEnded() ? weight : 0;
        }
        if (limit.used == used && limit.openEndedUse == openEnded) {
            return null;
        }
        String difference = "expected " + used + " in use (" + openEnded + " wait for a person), found " + limit.used
                + " (" + limit.openEndedUse + ")";
        limit.used = used;
        limit.openEndedUse = openEnded;
        return difference;
    }

    /** Checks what a run has in flight. Describes what was wrong. */
    List<String> checkRun(RunLimiter run, long now) {
        RunAllocations allocations = run.allocations;
        if (allocations == null) {
            return List.of();
        }
        List<String> wrong = new ArrayList<>();
        releaseStale(allocations, run, now, wrong);
        String difference = allocations.correct(now);
        if (difference != null) {
            wrong.add(run + ": " + difference);
            queues.dirtyQueue.markDirty(run);
        }
        return wrong;
    }

    /** Releases the allocations of claims that have ended. */
    private void releaseStale(Allocations allocations, WaitPoint waitPoint, long now, List<String> wrong) {
        for (Allocation stale : allocations.stale()) {
            wrong.add(waitPoint + ": expected a live claim, found that of " + stale.subject() + ", which has ended");
            queues.release(stale, now);
        }
    }
}
