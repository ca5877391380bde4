package dev.weir.engine.shard;

import dev.weir.core.life.Claim;
import dev.weir.core.life.Organisation;
import dev.weir.core.life.Rows;
import dev.weir.core.life.RunRow;
import dev.weir.core.life.StepRow;
import dev.weir.core.life.UnitId;
import dev.weir.engine.journal.ClaimMark;
import dev.weir.engine.journal.Entry;
import dev.weir.engine.journal.JournalFailure;
import dev.weir.engine.journal.Slice;
import dev.weir.engine.journal.Tenure;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares memory with the rows, again and again: claims in full, runs and their steps slice by slice. Where they differ
 * somebody has changed the rows behind the engine's back, or there is a bug; either way the rows are the truth, and the
 * organisation is read again.
 */
final class Sweep {
    /** How often every organisation in memory is compared, in microseconds. */
    static final long EVERY = 2_000_000;
    /** Runs that are compared at once. */
    static final int RUNS_MAX = 1_000;
    /** Steps and items that are compared at once; of a run with more open ones, the next to start. */
    static final int UNITS_MAX = 2_000;
    /** Organisations that are compared in one turn of the loop. */
    static final int ORGANISATIONS_MAX = 50;

    private static final Logger LOG = LoggerFactory.getLogger(Sweep.class);

    private final Site site;
    private final Holdings holdings;
    /** Organisations of which it was said that they take too long to compare, and that they differ: once of each. */
    private final Set<String> slow = new HashSet<>();

    private final Set<String> different = new HashSet<>();
    private long sweptAt = Long.MIN_VALUE / 2;

    Sweep(Site site, Holdings holdings) {
        this.site = site;
        this.holdings = holdings;
    }

    /** After how many microseconds the next is wanted. */
    long untilDue(long tick) {
        return Math.max(0, sweptAt + EVERY - tick);
    }

    /** Compares what has not been compared for a while, and lets go of what nothing has happened to for long. */
    void runOnce(Tenure tenure, long tick) {
        if (untilDue(tick) > 0 || holdings.isEmpty()) {
            return;
        }
        sweptAt = tick;
        // Within a transaction of this tenure nobody else can write, and between two passes neither does this node.
        try (Entry entry = tenure.begin()) {
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

    /** Looks at one organisation. If that takes too long, the transaction is over, and the others come with the next sweep. */
    private boolean inTime(Tenure tenure, String org, Resident resident) {
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

    private void look(Tenure tenure, String org, Resident resident) {
        site.counters().add(Count.SWEEPS);
        String difference = difference(tenure, org, resident);
        if (difference != null) {
            heal(tenure, org, difference);
        } else if (quiet(org, resident)) {
            holdings.evict(org);
        }
    }

    private @Nullable String difference(Tenure tenure, String org, Resident resident) {
        Organisation organisation = resident.organisation;
        String inClaims = claims(organisation, tenure.claims(org, organisation.firstRun(), organisation.claimed()));
        if (inClaims != null) {
            return inClaims;
        }
        Slice slice = tenure.slice(org, resident.sweptTo, RUNS_MAX, UNITS_MAX);
        String inRuns = runs(organisation, slice, resident.sweptTo);
        resident.sweptTo = slice.more() ? slice.lastRun() : 0;
        return inRuns;
    }

    /** The rows are the truth, as they are now: whatever was read before may have been overtaken by a commit. */
    private void heal(Tenure tenure, String org, String difference) {
        site.counters().differs("organisation " + org + ": " + difference);
        if (different.add(org)) {
            LOG.warn("memory of organisation {} differs from its rows, and is read again: {}", org, difference);
        }
        Resident before = holdings.find(org);
        List<Claim> known = before == null ? List.of() : before.organisation.claims();
        holdings.drop(org);
        try {
            holdings.restore(org, read(tenure, org).withLost(known));
        } catch (JournalFailure e) {
            throw e;
        } catch (RuntimeException e) {
            // The next pass reads it again, and deals with it if that fails too.
            LOG.warn("organisation {} could not be read again, and is when something is asked of it", org, e);
            holdings.drop(org);
        }
    }

    private static Rows read(Tenure tenure, String org) {
        return tenure.load(org);
    }

    private boolean quiet(String org, Resident resident) {
        long now = holdings.now();
        return now - resident.touchedAt > Holdings.QUIET
                && !holdings.polls().any(org)
                && resident.organisation.claims().isEmpty()
                && resident.organisation.nextWakeup() - Holdings.QUIET > now;
    }

    private static @Nullable String claims(Organisation organisation, List<ClaimMark> rows) {
        Map<UnitId, ClaimMark> marks = new HashMap<>();
        rows.forEach(mark -> marks.put(mark.unit(), mark));
        for (Claim claim : organisation.claims()) {
            var expected = new ClaimMark(claim.unit(), claim.fence(), claim.until());
            ClaimMark found = marks.remove(claim.unit());
            if (!expected.equals(found)) {
                return "expected the claim " + expected + ", found " + found;
            }
        }
        return marks.isEmpty() ? null : "expected no more claims, found " + marks.values();
    }

    private static @Nullable String runs(Organisation organisation, Slice slice, long after) {
        Map<String, Slice.RunMark> marks = new HashMap<>();
        slice.runs().forEach(mark -> marks.put(mark.run(), mark));
        Map<UnitId, Slice.StepMark> steps = new HashMap<>();
        slice.steps().forEach(mark -> steps.put(mark.unit(), mark));
        for (RunRow run : organisation.runsBetween(after, slice.more() ? slice.lastRun() : Long.MAX_VALUE)) {
            var expected = new Slice.RunMark(run.id(), run.number(), run.state());
            Slice.RunMark found = marks.remove(run.id());
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

    private static @Nullable String steps(List<StepRow> known, Map<UnitId, Slice.StepMark> marks) {
        for (StepRow step : known) {
            var expected = new Slice.StepMark(step.id(), step.state(), step.fence());
            Slice.StepMark found = marks.remove(step.id());
            if (!expected.equals(found)) {
                return "expected the step " + expected + ", found " + found;
            }
        }
        return null;
    }
}
