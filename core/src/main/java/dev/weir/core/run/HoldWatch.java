package dev.weir.core.run;

import dev.weir.core.admission.Admission;
import dev.weir.core.admission.Hold;
import dev.weir.core.admission.Ticket;
import dev.weir.core.limit.HoldCheck;
import dev.weir.core.limit.LimitId;
import dev.weir.core.state.Move;
import java.util.ArrayList;
import java.util.List;

/**
 * Records when a limit holds a queued run for the first time, with the time of the next check. Only the first hold is
 * written, so the number of later checks, and of waiting runs, costs nothing.
 */
final class HoldWatch {
    private final Admission admission;
    private final MoveCollector moves;
    /** Queued runs of which it is not known yet if a limit holds them. */
    private List<Run> unjudged = new ArrayList<>();

    HoldWatch(Admission admission, MoveCollector moves) {
        this.admission = admission;
        this.moves = moves;
    }

    /** Watches a run that has just queued for the run limits, or that continues after a pause. */
    void add(Run run) {
        if (!run.detail.isHeld()) {
            unjudged.add(run);
        }
    }

    /** Records the holds of the runs that are still queued. A run that may start any moment is looked at again. */
    void recordHolds(long now) {
        if (unjudged.isEmpty()) {
            return;
        }
        List<Run> queued = unjudged;
        unjudged = new ArrayList<>();
        for (Run run : queued) {
            Ticket ticket = run.ticket;
            if (ticket == null || run.detail.isHeld()) {
                continue;
            }
            Hold hold = admission.firstHold(ticket, now).orElse(Hold.NO_WORKER);
            if (hold.limit() instanceof LimitId.Shared limit) {
                long until = HoldCheck.at(run.id(), admission.nextCheck(ticket, now), now);
                run.detail = run.detail.withHoldUntil(until);
                moves.add(new Move.RunHeld(run.ref, limit, until, now));
            } else if (hold.equals(Hold.NO_WORKER)) {
                unjudged.add(run);
            }
        }
    }
}
