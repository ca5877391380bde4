package dev.weir.core.state;

import dev.weir.core.limit.LimitStart;
import dev.weir.core.limit.Moment;
import dev.weir.core.plan.LimitNeeds;
import java.util.List;

/**
 * A worker's right to a step or item until a given time.
 *
 * @param fence a number greater than that of every earlier claim of the same step or item
 * @param lease the time that the claim lasts without a heartbeat, in microseconds
 * @param until the time at which the claim ends if nobody extends it; {@link Moment#NEVER} while its step needs
 *     input
 * @param timeoutAt the time at which the attempt is over, however often the claim is extended
 * @param limitNeeds the needs that were allocated to it
 * @param starts the starts that limits with a rate have to remember, beyond the claim's end
 * @param waited the waiting time of its step or item before the grant
 */
public record Claim(
        UnitId unit,
        long fence,
        String worker,
        String request,
        long lease,
        long grantedAt,
        long until,
        long timeoutAt,
        LimitNeeds limitNeeds,
        List<LimitStart> starts,
        List<WaitEntry> waited) {
    /**
     * True if the claim lasts until a person gives the input that its step needs. The attempt is not timed meanwhile.
     */
    public boolean hasNoExpiry() {
        return until == Moment.NEVER;
    }

    /**
     * Returns the time at which its worker was last heard. The worker of a claim that waits for input need not be
     * heard.
     */
    public long renewedAt() {
        return hasNoExpiry() ? Moment.NEVER : until - lease;
    }

    /** Returns the same claim of another unit. */
    public Claim of(UnitId other) {
        return new Claim(other, fence, worker, request, lease, grantedAt, until, timeoutAt, limitNeeds, starts, waited);
    }

    public Claim extendedTo(long later) {
        return new Claim(unit, fence, worker, request, lease, grantedAt, later, timeoutAt, limitNeeds, starts, waited);
    }
}
