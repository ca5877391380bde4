package dev.weir.core.life;

import dev.weir.core.limit.Moment;
import dev.weir.core.limit.Start;
import java.util.List;

/**
 * A worker's right to a step or item.
 *
 * @param fence greater than that of every earlier claim of the same step or item
 * @param lease how long it lasts without a heartbeat, in microseconds
 * @param until when it ends if nobody extends it; {@link Moment#NEVER} while its step needs input
 * @param timeoutAt when the try is over, however often it is extended
 * @param ask what it holds
 * @param starts the starts that limits with a rate have to remember, beyond the claim's end
 * @param waited what its step or item waited for before it was granted
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
        Ask ask,
        List<Start> starts,
        List<Waited> waited) {
    /** Whether it lasts until a person gives the input that its step needs; the try is not timed meanwhile. */
    public boolean hasNoEnd() {
        return until == Moment.NEVER;
    }

    Claim extendedTo(long later) {
        return new Claim(unit, fence, worker, request, lease, grantedAt, later, timeoutAt, ask, starts, waited);
    }
}
