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
    static final long EVERY = 2_000_000;
    /** The number of runs in one slice. */
    static final int RUNS_MAX = 1_000;
    /**
     * The number of steps and items in one slice. Of a run with more open ones, only the next to start are compared.
     */
    static final int UNITS_MAX = 2_000;
    /** The number of organisations that one sweep compares. */
    static final int ORGANISATIONS_MAX = 50;

    private static final Logger LOG = LoggerFactory.getLogger(Sweep.class);

    private final ShardContext site;
    private final ShardState holdings;
    /** Organisations already logged as too slow to compare, and as different. Each is logged once. */
    private final Set<String> slow = new HashSet<>();

    private final Set<String> different = new HashSet<>();
    private long sweptAt = Long.MIN_VALUE / 2;

    Sweep(ShardContext site, ShardState holdings) {
        this.site = site;
        this.holdings = holdings;
    }

    /** The time in microseconds until the next sweep. */
    long untilDue(long tick) {
        return Math.max(0, sweptAt + EVERY - tick);
    }

    /** Compares the organisations whose last sweep is the longest ago, and evicts inactive ones. */
    void runOnce(ShardOwnership tenure, long tick) {
        if (untilDue(tick) > 0 || holdings.isEmpty()) {
            return;
        }
        sweptAt = tick;
        // No other node can write within a transaction of this ownership, and this node does not write between two
        // passes.
        try (Transaction entry = tenure.begin()) {
            holdings.at(entry.now(), tick, site.tick());
            for (var one : holdings.leastRecentlySwept(ORGANISATIONS_MAX).entrySet()) {
                one.getValue().sweptAt = tick;
                if (!inTime(tenure, one.getKey(), one.getValue())) {
                    return;
                }
            }
            entry.rollback();
        }
    }

    /**
     * Compares one organisation. If that takes too long, the transaction is over, and the next sweep continues with the
     * others.
     */
    private boolean inTime(ShardOwnership tenure, String org, LoadedOrganisation resident) {
        try {
            look(tenure, org, resident);
            return true;
        } catch (JournalFailure.TooSlow e) {
            if (slow.add(org)) {
                LOG.warn("organisation {} could not be compared with its rows in time: {}", org, e.getMessage());
            }
            return false;
        }
    }

    private void look(ShardOwnership tenure, String org, LoadedOrganisation resident) {
        site.counters().add(CounterName.SWEEPS);
        forgetRemoved(resident);
        String difference = difference(tenure, org, resident);
        if (difference != null) {
            discard(org, difference);
        } else if (quiet(org, resident)) {
            holdings.evict(org);
        }
    }

    /** Forgets ended runs after the journal removed some, because their ids are free again. */
    private void forgetRemoved(LoadedOrganisation resident) {
        long removals = site.journal().removals();
        if (resident.removals != removals) {
            resident.removals = removals;
            resident.organisation.forgetEnded();
        }
    }

    private @Nullable String difference(ShardOwnership tenure, String org, LoadedOrganisation resident) {
        Organisation organisation = resident.organisation;
        String inClaims = claims(organisation, tenure.claims(org, organisation.firstRun(), organisation.claimed()));
        if (inClaims != null) {
            return inClaims;
        }
        long after = resident.sweptTo;
        SweepSlice slice = tenure.slice(org, after, RUNS_MAX, UNITS_MAX);
        String inRuns = runs(organisation, slice, after);
        resident.sweptTo = slice.more() ? slice.lastRun() : 0;
        if (inRuns == null) {
            correctUsage(org, organisation, after, slice.more() ? slice.lastRun() : Long.MAX_VALUE);
        }
        return inRuns;
    }

    /** Derives the usage of limits from the claims, which are known to equal the rows. */
    private void correctUsage(String org, Organisation organisation, long after, long last) {
        List<String> wrong = organisation.correctUsage(after, last, holdings.now());
        if (!wrong.isEmpty()) {
            String first = "organisation " + org + ": " + wrong.getFirst();
            site.counters().corrected(first, wrong.size());
            LOG.warn(
                    "{} usages of limits were not those of the live claims, and were corrected; {}",
                    wrong.size(),
                    first);
            holdings.dueAt(org, Long.MIN_VALUE);
        }
    }

    /**
     * Discards the memory of an organisation that differs from its rows. The next pass loads it in a transaction that
     * commits; a load within the sweep's own transaction, which is rolled back, would not delete orphan rows.
     */
    private void discard(String org, String difference) {
        site.counters().differs("organisation " + org + ": " + difference);
        if (different.add(org)) {
            LOG.warn("memory of organisation {} differs from its rows, and is read again: {}", org, difference);
        }
        holdings.drop(org);
    }

    private boolean quiet(String org, LoadedOrganisation resident) {
        long now = holdings.now();
        return now - resident.touchedAt > ShardState.QUIET
                && !holdings.polls().any(org)
                && resident.organisation.claims().isEmpty()
                && resident.organisation.nextWakeup() - ShardState.QUIET > now;
    }

    private static @Nullable String claims(Organisation organisation, List<ClaimSummary> rows) {
        Map<UnitId, ClaimSummary> marks = new HashMap<>();
        rows.forEach(mark -> marks.put(mark.unit(), mark));
        for (Claim claim : organisation.claims()) {
            var expected = new ClaimSummary(claim.unit(), claim.fence(), claim.until());
            ClaimSummary found = marks.remove(claim.unit());
            if (!expected.equals(found)) {
                return "expected the claim " + expected + ", found " + found;
            }
        }
        return marks.isEmpty() ? null : "expected no more claims, found " + marks.values();
    }

    private static @Nullable String runs(Organisation organisation, SweepSlice slice, long after) {
        Map<String, SweepSlice.RunMark> marks = new HashMap<>();
        slice.runs().forEach(mark -> marks.put(mark.run(), mark));
        Map<UnitId, SweepSlice.StepMark> steps = new HashMap<>();
        slice.steps().forEach(mark -> steps.put(mark.unit(), mark));
        for (RunRow run : organisation.runsBetween(after, slice.more() ? slice.lastRun() : Long.MAX_VALUE)) {
            var expected = new SweepSlice.RunMark(run.id(), run.number(), run.state());
            SweepSlice.RunMark found = marks.remove(run.id());
            if (!expected.equals(found)) {
                return "expected the run " + expected + ", found " + found;
            }
            String inSteps =
                    steps(organisation.openSteps(run.id(), slice.cut() ? UNITS_MAX : Integer.MAX_VALUE), steps);
            if (inSteps != null) {
                return inSteps;
            }
        }
        if (!marks.isEmpty()) {
            return "expected no more runs, found " + marks.values();
        }
        return steps.isEmpty() ? null : "expected no more open steps, found " + steps.values();
    }

    private static @Nullable String steps(List<StepRow> known, Map<UnitId, SweepSlice.StepMark> marks) {
        for (StepRow step : known) {
            var expected = new SweepSlice.StepMark(step.id(), step.state(), step.fence());
            SweepSlice.StepMark found = marks.remove(step.id());
            if (!expected.equals(found)) {
                return "expected the step " + expected + ", found " + found;
            }
        }
        return null;
    }
}
