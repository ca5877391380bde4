package dev.weir.core.run;

import dev.weir.core.admission.Allocation;
import dev.weir.core.limit.Moment;
import dev.weir.core.state.Claim;

/** A live claim with its allocation. */
final class LiveClaim extends Timer {
    final Unit unit;
    final Allocation allocation;
    Claim claim;
    boolean cancelRequested;
    /** The time at which the claim ends because its worker did not heed a cancel request. */
    long cancelBy = Moment.NEVER;

    LiveClaim(Unit unit, Allocation allocation, Claim claim) {
        this.unit = unit;
        this.allocation = allocation;
        this.claim = claim;
    }

    long endsAt() {
        return claim.hasNoExpiry() ? cancelBy : Math.min(cancelBy, Math.min(claim.until(), claim.timeoutAt()));
    }

    @Override
    long tieBreaker() {
        return unit.tieBreaker();
    }

    @Override
    int item() {
        return unit.item();
    }
}
