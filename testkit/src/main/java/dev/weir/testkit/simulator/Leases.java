package dev.weir.testkit.simulator;

import static dev.weir.testkit.simulator.Violation.unless;

import dev.weir.core.life.Claim;
import dev.weir.core.life.Move;
import dev.weir.core.life.StepState;

/**
 * Sees that claims end in time: a silent worker's soon after its lease, and nobody's before those who could not be heard
 * had time to renew theirs.
 */
final class Leases {
    /** How long nobody's claim ends after a time in which workers could not be heard. */
    private static final long GRACE = 10 * World.SECOND;
    /** How long a claim may go on after its lease, or after that time. */
    private static final long SLACK = 2 * World.SECOND;

    private final Tally tally;
    /** When it was last sure that workers could be heard again, and when that may have been. */
    private long surely = Long.MIN_VALUE / 2;

    private long perhaps = Long.MIN_VALUE / 2;

    Leases(Tally tally) {
        this.tally = tally;
    }

    void unheard(Fact.Unheard unheard) {
        perhaps = unheard.until();
        if (unheard.surely()) {
            surely = unheard.until();
        }
    }

    /** Who was granted something since then could be heard all the time. */
    void released(Move.Released released) {
        Claim claim = tally.live.get(released.unit());
        boolean wasUnheard = claim != null && claim.grantedAt() < surely;
        boolean early = wasUnheard && released.at() >= surely && released.at() < surely + GRACE;
        unless(
                released.how() != Move.Released.How.EXPIRED || !early,
                "L2",
                "%s expired at %s, and workers could be heard since %s",
                released.unit(),
                released.at(),
                surely);
    }

    /** Nothing is left to do now: no claim may be there whose time is over. */
    void settled(long now) {
        for (Claim claim : tally.live.values()) {
            long end = Math.min(claim.until(), claim.timeoutAt());
            boolean silent = tally.state(claim.unit()) == StepState.RUNNING
                    && end < now - SLACK
                    && perhaps + GRACE < now - SLACK;
            unless(!silent, "L2", "the claim of %s ended at %s, and lives at %s", claim.unit(), end, now);
        }
    }
}
