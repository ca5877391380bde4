package dev.weir.engine.shard;

import dev.weir.core.run.Organisation;
import dev.weir.core.state.Claim;
import dev.weir.core.state.RunRow;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.UnitId;
import dev.weir.engine.journal.ClaimSummary;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.journal.ShardOwnership;
import dev.weir.engine.journal.SweepSlice;
import dev.weir.engine.journal.Transaction;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares memory with the rows at intervals: claims in full, runs and their steps slice by slice. A difference means
 * that something changed the rows behind the engine's back, or that there is a bug. Either way the rows are the truth,
 * and the organisation is loaded again. If they agree, the usage of limits is derived from the claims, also slice by
 * slice.
 */
final class Sweep {
    /** The interval between sweeps, in microseconds. */
    static final long INTERVAL = 2_000_000;
    /** The number of runs in one slice. */
    static final int RUNS_MAX = 1_000;
    /**
     * The number of steps and items in one slice. Of a run with more open ones, only the next to start are compared.
     */
    static final int UNITS_MAX = 2_000;
    /** The number of organisations that one sweep compares. */
    static final int ORGANISATIONS_MAX = 50;

    private static final Logger LOG = LoggerFactory.getLogger(Sweep.class);

    private final ShardContext context;
    private final ShardState state;
    /** Organisations already logged as too slow to compare, and as different. Each is logged once. */
    private final Set<String> loggedSlow = new HashSet<>();

    private final Set<String> loggedDifferent = new HashSet<>();
    private long sweptAt = Long.MIN_VALUE / 2;

    Sweep(ShardContext context, ShardState state) {
        this.context = context;
        this.state = state;
    }

    /** The time in microseconds until the next sweep. */
    long untilDue(long monotonicNow) {
        return Math.max(0, sweptAt + INTERVAL - monotonicNow);
    }

    /** Compares the organisations whose last sweep is the longest ago, and evicts inactive ones. */
    void runOnce(ShardOwnership ownership, long monotonicNow) {
        if (untilDue(monotonicNow) > 0 || state.isEmpty()) {
            return;
        }
        sweptAt = monotonicNow;
        // No other node can write within a transaction of this ownership, and this node does not write between two
        // passes.
        try (Transaction transaction = ownership.begin()) {
            state.setTime(transaction.now(), monotonicNow, context.monotonicNow());
            for (var one : state.leastRecentlySwept(ORGANISATIONS_MAX).entrySet()) {
                one.getValue().sweptAt = monotonicNow;
                if (!compareInTime(ownership, one.getKey(), one.getValue())) {
                    return;
                }
            }
            transaction.rollback();
        }
    }

    /**
     * Compares one organisation. If that takes too long, the transaction is over, and the next sweep continues with the
     * others.
     */
    private boolean compareInTime(ShardOwnership ownership, String org, LoadedOrganisation loadedOrg) {
        try {
            compare(ownership, org, loadedOrg);
            return true;
        } catch (JournalFailure.TooSlow e) {
            if (loggedSlow.add(org)) {
                LOG.warn("The comparison of organisation {} with its rows timed out: {}", org, e.getMessage());
            }
            return false;
        }
    }

    private void compare(ShardOwnership ownership, String org, LoadedOrganisation loadedOrg) {
        context.counters().add(CounterName.SWEEPS);
        forgetRemoved(loadedOrg);
        String difference = findDifference(ownership, org, loadedOrg);
        if (difference != null) {
            discard(org, difference);
        } else if (isIdle(org, loadedOrg)) {
            state.evict(org);
        }
    }

    /** Forgets ended runs after the journal removed some, because their ids are free again. */
    private void forgetRemoved(LoadedOrganisation loadedOrg) {
        long removalCount = context.journal().removalCount();
        if (loadedOrg.removalCount != removalCount) {
            loadedOrg.removalCount = removalCount;
            loadedOrg.organisation.forgetEnded();
        }
    }

    private @Nullable String findDifference(ShardOwnership ownership, String org, LoadedOrganisation loadedOrg) {
        Organisation organisation = loadedOrg.organisation;
        String inClaims = compareClaims(
                organisation, ownership.claims(org, organisation.firstRunNumber(), organisation.claimedUnits()));
        if (inClaims != null) {
            return inClaims;
        }
        long after = loadedOrg.sweptTo;
        SweepSlice slice = ownership.slice(org, after, RUNS_MAX, UNITS_MAX);
        String inRuns = compareRuns(organisation, slice, after);
        loadedOrg.sweptTo = slice.hasMore() ? slice.lastRun() : 0;
        if (inRuns == null) {
            correctUsage(org, loadedOrg, after, slice.hasMore() ? slice.lastRun() : Long.MAX_VALUE);
        }
        return inRuns;
    }

    /** Derives the usage of limits from the claims, which are known to equal the rows. */
    private void correctUsage(String org, LoadedOrganisation loadedOrg, long after, long last) {
        List<String> wrong = loadedOrg.organisation.correctUsage(after, last, state.now());
        if (!wrong.isEmpty()) {
            loadedOrg.differed = true;
            String first = "organisation " + org + ": " + wrong.getFirst();
            context.counters().recordCorrection(first, wrong.size());
            LOG.warn(
                    "The usage of {} limits did not match the live claims; Weir corrected it; {}", wrong.size(), first);
            state.setDue(org, Long.MIN_VALUE);
        }
    }

    /**
     * Discards the memory of an organisation that differs from its rows. The next pass loads it in a transaction that
     * commits; a load within the sweep's own transaction, which is rolled back, would not delete orphan rows.
     */
    private void discard(String org, String difference) {
        context.counters().recordDifference("organisation " + org + ": " + difference);
        if (loggedDifferent.add(org)) {
            LOG.warn("Organisation {} differs from its rows; Weir reloads it: {}", org, difference);
        }
        state.dropDiffering(org);
        context.commitListener().onUnknownChanges(org);
    }

    private boolean isIdle(String org, LoadedOrganisation loadedOrg) {
        long now = state.now();
        return now - loadedOrg.lastCommitAt > ShardState.IDLE_TIMEOUT
                && !state.polls().hasAny(org)
                && loadedOrg.organisation.claims().isEmpty()
                && loadedOrg.organisation.nextWakeup() - ShardState.IDLE_TIMEOUT > now;
    }

    private static @Nullable String compareClaims(Organisation organisation, List<ClaimSummary> rows) {
        Map<UnitId, ClaimSummary> summaries = new HashMap<>();
        rows.forEach(summary -> summaries.put(summary.unit(), summary));
        for (Claim claim : organisation.claims()) {
            var expected = new ClaimSummary(claim.unit(), claim.fence(), claim.until());
            ClaimSummary found = summaries.remove(claim.unit());
            if (!expected.equals(found)) {
                return "expected the claim " + expected + ", found " + found;
            }
        }
        return summaries.isEmpty() ? null : "expected no more claims, found " + summaries.values();
    }

    private static @Nullable String compareRuns(Organisation organisation, SweepSlice slice, long after) {
        Map<String, SweepSlice.RunSummary> summaries = new HashMap<>();
        slice.runs().forEach(summary -> summaries.put(summary.run(), summary));
        Map<UnitId, SweepSlice.StepSummary> steps = new HashMap<>();
        slice.steps().forEach(summary -> steps.put(summary.unit(), summary));
        for (RunRow run : organisation.runsBetween(after, slice.hasMore() ? slice.lastRun() : Long.MAX_VALUE)) {
            var expected = new SweepSlice.RunSummary(run.id(), run.number(), run.state());
            SweepSlice.RunSummary found = summaries.remove(run.id());
            if (!expected.equals(found)) {
                return "expected the run " + expected + ", found " + found;
            }
            String inSteps = compareSteps(
                    organisation.openSteps(run.id(), slice.truncated() ? UNITS_MAX : Integer.MAX_VALUE), steps);
            if (inSteps != null) {
                return inSteps;
            }
        }
        if (!summaries.isEmpty()) {
            return "expected no more runs, found " + summaries.values();
        }
        return steps.isEmpty() ? null : "expected no more open steps, found " + steps.values();
    }

    private static @Nullable String compareSteps(List<StepRow> known, Map<UnitId, SweepSlice.StepSummary> summaries) {
        for (StepRow step : known) {
            var expected = new SweepSlice.StepSummary(step.id(), step.state(), step.fence());
            SweepSlice.StepSummary found = summaries.remove(step.id());
            if (!expected.equals(found)) {
                return "expected the step " + expected + ", found " + found;
            }
        }
        return null;
    }
}
