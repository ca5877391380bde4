package dev.weir.core.run;

import dev.weir.core.admission.Subject;
import dev.weir.core.state.UnitId;
import org.jspecify.annotations.Nullable;

/**
 * The owner of an allocation of a limit, or of a ticket that waits for it.
 *
 * @param step absent for a run as a whole
 * @param item {@link UnitId#NO_ITEM} if it is not an item
 * @param since the time since when it has held the allocation, or has waited
 */
public record TicketOwner(String run, @Nullable String step, int item, long since) {
    /** Returns the owner of a ticket that has waited since the given time. */
    public static TicketOwner of(Subject subject, long since) {
        if (subject instanceof Unit unit) {
            return new TicketOwner(unit.run().id(), unit.step().planned.id(), unit.item(), since);
        }
        return new TicketOwner(run(subject).id(), null, UnitId.NO_ITEM, since);
    }

    /** Returns the owner of an allocation, since its grant. */
    public static TicketOwner of(Subject subject) {
        if (subject instanceof Unit unit) {
            return of(unit, unit.liveClaim == null ? unit.step().since : unit.liveClaim.claim.grantedAt());
        }
        return of(subject, run(subject).startedAt);
    }

    private static Run run(Subject subject) {
        if (subject instanceof Run run) {
            return run;
        }
        throw new IllegalStateException("expected a run, step or item, found " + subject);
    }
}
