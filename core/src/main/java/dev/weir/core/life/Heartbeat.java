package dev.weir.core.life;

import dev.weir.core.state.UnitId;

/** Extends the claim of a worker that is still at work. */
public record Heartbeat(UnitId unit, long fence) implements Command<Heartbeat.Answer> {
    /** The answer to the worker. */
    public sealed interface Answer {
        /**
         * The claim is live.
         *
         * @param remaining the time that it lasts, in microseconds from now
         * @param cancelRequested true if the worker should stop
         */
        record Extended(long remaining, boolean cancelRequested) implements Answer {}

        /** The claim has ended for good. */
        record ClaimLost() implements Answer {}
    }

    @Override
    public Answer decide(Organisation org, long now) {
        Unit found = org.find(unit);
        if (found == null || !isHeld(found, fence)) {
            return new Answer.ClaimLost();
        }
        LiveClaim lease = found.lease;
        if (lease == null) {
            return new Answer.ClaimLost();
        }
        if (lease.claim.hasNoEnd()) {
            return new Answer.Extended(lease.claim.lease(), lease.cancelRequested);
        }
        org.claims.extend(lease, now);
        return new Answer.Extended(Math.max(0, lease.endsAt() - now), lease.cancelRequested);
    }

    /** True if a claim with this fence is live and none is newer. */
    private static boolean isHeld(Unit found, long fence) {
        return found.lease != null && found.fence == fence;
    }
}
