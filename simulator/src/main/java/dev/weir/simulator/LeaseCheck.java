package dev.weir.simulator;

import static dev.weir.simulator.Violation.require;

import dev.weir.core.state.Claim;
import dev.weir.core.state.Move;
import dev.weir.core.state.StepState;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks that claims end in time. The claim of a silent worker must end soon after its lease. After a gap in which
 * workers could not be heard, no claim may end before its worker had time to renew it, unless the worker was silent for
 * long enough in total while it could be heard.
 */
final class LeaseCheck {
    /** The time after such a gap in which no claim may end. */
    private static final long GRACE = 10 * SimulatedWorld.SECOND;
    /** The total silence of a worker, while it could be heard, after which the engine gives it no further grace. */
    private static final long SILENCE_MAX = 12 * SimulatedWorld.SECOND;
    /** The time for which a claim may outlive its lease or the grace. */
    private static final long SLACK = 2 * SimulatedWorld.SECOND;

    private final TraceState traceState;
    /** The end of the last certain gap, and the end of the last possible gap. */
    private long certainGapEnd = Long.MIN_VALUE / 2;

    private long possibleGapEnd = Long.MIN_VALUE / 2;
    /** The time of the latest decision. */
    private long decidedAt = certainGapEnd;
    /** Earlier periods in which workers may have been heard. */
    private final List<ReachablePeriod> earlierPeriods = new ArrayList<>();

    /**
     * A period in which workers may have been heard: from the end of a certain gap to the last decision before the next
     * one.
     */
    private record ReachablePeriod(long from, long until) {
        private long lengthAfter(long time) {
            return Math.max(0, until - Math.max(from, time));
        }
    }

    LeaseCheck(TraceState traceState) {
        this.traceState = traceState;
    }

    /**
     * Notes a decision. If its commit took long, the decision may be older than the last gap. Then workers could be
     * heard until that time too, and the earlier period is extended.
     */
    void noteDecision(long at) {
        decidedAt = Math.max(decidedAt, at);
        int i = earlierPeriods.size() - 1;
        while (i >= 0 && earlierPeriods.get(i).from > at) {
            i--;
        }
        if (i >= 0 && at < certainGapEnd) {
            ReachablePeriod period = earlierPeriods.get(i);
            earlierPeriods.set(i, new ReachablePeriod(period.from, Math.max(period.until, at)));
        }
    }

    void noteGap(Fact.WorkersUnreachable gap) {
        possibleGapEnd = gap.until();
        if (gap.certain()) {
            earlierPeriods.add(new ReachablePeriod(certainGapEnd, decidedAt));
            certainGapEnd = gap.until();
        }
    }

    /**
     * Checks that no claim expires within the grace after a gap. A claim that was granted since the gap gets no grace,
     * because its worker could be heard all the time.
     */
    void checkReleased(Move.Released released) {
        Claim claim = traceState.liveClaims.get(released.unit());
        boolean withinGrace = released.at() >= certainGapEnd && released.at() < certainGapEnd + GRACE;
        boolean early = claim != null
                && claim.grantedAt() < certainGapEnd
                && withinGrace
                && silence(claim, released.at()) < SILENCE_MAX;
        require(
                released.cause() != Move.Released.Cause.EXPIRED || !early,
                "L2",
                "%s expired at %s, and workers could be heard since %s",
                released.unit(),
                released.at(),
                certainGapEnd);
    }

    /** The longest time for which a worker may have been silent while it could be heard. */
    private long silence(Claim claim, long now) {
        long renewedAt = claim.until() - claim.lease();
        long silence = now - Math.max(certainGapEnd, renewedAt);
        for (ReachablePeriod period : earlierPeriods) {
            silence += period.lengthAfter(renewedAt);
        }
        return silence;
    }

    /** Checks, when nothing is left to do now, that no claim has outlived its lease. */
    void checkSettled(long now) {
        for (Claim claim : traceState.liveClaims.values()) {
            long end = Math.min(claim.until(), claim.timeoutAt());
            boolean outlived = traceState.state(claim.unit()) == StepState.RUNNING
                    && end < now - SLACK
                    && possibleGapEnd + GRACE < now - SLACK;
            require(!outlived, "L2", "the claim of %s ended at %s, and lives at %s", claim.unit(), end, now);
        }
    }
}
