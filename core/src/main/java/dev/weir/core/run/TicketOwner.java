package dev.weir.core.run;

import dev.weir.core.admission.Subject;
import dev.weir.core.limit.Moment;
import dev.weir.core.state.Claim;
import dev.weir.core.state.UnitId;
import org.jspecify.annotations.Nullable;

/**
 * The owner of an allocation of a limit, or of a ticket that waits for it.
 *
 * @param step absent for a run as a whole
 * @param item {@link UnitId#NO_ITEM} if it is not an item
 * @param since the time since when it has held the allocation, or has waited
 * @param worker the worker that has claimed it; null if none has
 * @param leaseUntil the time at which that claim ends if the worker is not heard again; {@link Moment#NEVER} if it does
 *     not end by itself
 */
public record TicketOwner(
        String run,
        @Nullable String step,
        int item,
        long since,
        @Nullable String worker,
        long leaseUntil) {
    /** Returns the owner of a ticket that has waited since the given time. */
    public static TicketOwner of(Subject subject, long since) {
        if (subject instanceof Unit unit) {
            return new TicketOwner(unit.run().id(), unit.step().planned.id(), unit.item(), since, null, Moment.NEVER);
        }
        return new TicketOwner(run(subject).id(), null, UnitId.NO_ITEM, since, null, Moment.NEVER);
    }

    /** Returns the owner of an allocation, since its grant. */
    public static TicketOwner of(Subject subject) {
        if (subject instanceof Unit unit) {
            return unit.liveClaim == null ? of(unit, unit.step().since) : of(unit, unit.liveClaim.claim);
        }
        return of(subject, run(subject).startedAt);
    }

    private static TicketOwner of(Unit unit, Claim claim) {
        return new TicketOwner(
                unit.run().id(),
                unit.step().planned.id(),
                unit.item(),
                claim.grantedAt(),
                claim.worker(),
                claim.until());
    }

    private static Run run(Subject subject) {
        if (subject instanceof Run run) {
            return run;
        }
        throw new IllegalStateException("expected a run, step or item, found " + subject);
    }
}
