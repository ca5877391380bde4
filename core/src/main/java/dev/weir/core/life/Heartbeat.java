package dev.weir.core.life;

/** A worker says that it is still at work, so that its claim lasts. */
public record Heartbeat(UnitId unit, long fence) implements Command<Heartbeat.Answer> {
    /** What the worker is told. */
    public sealed interface Answer {
        /**
         * The claim lasts.
         *
         * @param remaining how long, in microseconds from now
         * @param cancelRequested whether it had better stop
         */
        record Extended(long remaining, boolean cancelRequested) implements Answer {}

        /** The claim has ended, and does not come back. */
        record ClaimLost() implements Answer {}
    }

    @Override
    public Answer decide(Organisation org, long now) {
        Unit found = org.find(unit);
        if (found == null || !isHeld(found, fence)) {
            return new Answer.ClaimLost();
        }
        Lease lease = found.lease;
        if (lease == null) {
            return new Answer.ClaimLost();
        }
        if (lease.claim.hasNoEnd()) {
            return new Answer.Extended(lease.claim.lease(), lease.cancelRequested);
        }
        org.claims.extend(lease, now);
        return new Answer.Extended(Math.max(0, lease.endsAt() - now), lease.cancelRequested);
    }

    /** Whether a claim of this fence lives and none is newer. */
    private static boolean isHeld(Unit found, long fence) {
        return found.lease != null && found.fence == fence;
    }
}
