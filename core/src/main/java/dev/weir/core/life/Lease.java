package dev.weir.core.life;

import dev.weir.core.admission.Holding;
import dev.weir.core.limit.Moment;

/** A claim that lives, and what it holds. */
final class Lease extends Timer {
    final Unit unit;
    final Holding holding;
    Claim claim;
    boolean cancelRequested;
    /** When it is ended because its worker did not heed a cancel. */
    long cancelBy = Moment.NEVER;

    Lease(Unit unit, Holding holding, Claim claim) {
        this.unit = unit;
        this.holding = holding;
        this.claim = claim;
    }

    long endsAt() {
        return claim.hasNoEnd() ? cancelBy : Math.min(cancelBy, Math.min(claim.until(), claim.timeoutAt()));
    }

    @Override
    long tie() {
        return unit.tie();
    }

    @Override
    int item() {
        return unit.item();
    }
}
