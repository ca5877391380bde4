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
    static final int HOLDINGS_MAX = 20_000;

    private final TicketQueues desk;
    /** The limits that this round has not yet checked. */
    private final ArrayDeque<SharedLimit> unchecked = new ArrayDeque<>();

    UsageCheck(TicketQueues desk) {
        this.desk = desk;
    }

    /** Checks the next shared limits. Describes what was wrong. */
    List<String> nextLimits(long now) {
        if (unchecked.isEmpty()) {
            unchecked.addAll(desk.registry.limits());
        }
        List<String> wrong = new ArrayList<>();
        int holdings = 0;
        for (int i = 0; i < LIMITS_MAX && holdings < HOLDINGS_MAX && !unchecked.isEmpty(); i++) {
            SharedLimit limit = unchecked.remove();
            holdings += limit.holders.size();
            releaseStale(limit.holders, limit, now, wrong);
            String difference = correct(limit);
            if (difference != null) {
                wrong.add(limit + ": " + difference);
                desk.agenda.changed(limit);
            }
        }
        return wrong;
    }

    /**
     * Recomputes the usage of a limit from its allocations. Describes the difference, or returns null if there is none.
     */
    private static @Nullable String correct(SharedLimit limit) {
        int used = 0;
        int resting = 0;
        for (int i = 0; i < limit.holders.size(); i++) {
            Allocation holding = limit.holders.get(i);
            int weight = holding.demandOn(limit).weight;
            used += weight;
            resting += holding.rests() ? weight : 0;
        }
        if (limit.used == used && limit.resting == resting) {
            return null;
        }
        String difference = "expected " + used + " in use (" + resting + " wait for a person), found " + limit.used
                + " (" + limit.resting + ")";
        limit.used = used;
        limit.resting = resting;
        return difference;
    }

    /** Checks what a run has in flight. Describes what was wrong. */
    List<String> run(RunLimiter run, long now) {
        RunAllocations holders = run.holders;
        if (holders == null) {
            return List.of();
        }
        List<String> wrong = new ArrayList<>();
        releaseStale(holders, run, now, wrong);
        String difference = holders.correct(now);
        if (difference != null) {
            wrong.add(run + ": " + difference);
            desk.agenda.changed(run);
        }
        return wrong;
    }

    /** Releases the allocations of claims that have ended. */
    private void releaseStale(Allocations holders, WaitPoint place, long now, List<String> wrong) {
        for (Allocation stale : holders.stale()) {
            wrong.add(place + ": expected a live claim, found that of " + stale.subject() + ", which has ended");
            desk.release(stale, now);
        }
    }
}
