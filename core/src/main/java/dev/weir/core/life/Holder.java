package dev.weir.core.life;

import dev.weir.core.admission.Subject;
import org.jspecify.annotations.Nullable;

/**
 * Who holds a limit, or waits for it.
 *
 * @param step absent where it is a run as a whole
 * @param item {@link UnitId#NO_ITEM} where it is no item
 * @param since from when on it has held it, or waited
 */
public record Holder(String run, @Nullable String step, int item, long since) {
    static Holder of(Subject subject, long since) {
        if (subject instanceof Unit unit) {
            return new Holder(unit.run().id(), unit.step().planned.id(), unit.item(), since);
        }
        return new Holder(run(subject).id(), null, UnitId.NO_ITEM, since);
    }

    /** Of one that is in flight: since its grant. */
    static Holder of(Subject subject) {
        if (subject instanceof Unit unit) {
            return of(unit, unit.lease == null ? unit.step().since : unit.lease.claim.grantedAt());
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
