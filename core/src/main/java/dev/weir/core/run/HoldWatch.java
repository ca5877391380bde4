package dev.weir.core.run;

import dev.weir.core.admission.Admission;
import dev.weir.core.admission.Hold;
import dev.weir.core.admission.Ticket;
import dev.weir.core.limit.HoldCheck;
import dev.weir.core.limit.LimitId;
import dev.weir.core.state.Move;
import java.util.ArrayDeque;

/**
 * Records when a limit holds a queued run for the first time, with the time of the next check. Only the first hold is
 * written, so the number of later checks, and of waiting runs, costs nothing. One advance judges a bounded number of
 * runs; the next one continues.
 */
final class HoldWatch {
    /** The largest number of runs that one advance judges. */
    static final int JUDGED_MAX = 1_024;

    private final Admission admission;
    private final MoveCollector moves;
    /** Queued runs that were not judged yet. */
    private final ArrayDeque<Run> unjudged = new ArrayDeque<>();
    /** Queued runs that could start when they were judged, those that were judged longest ago first. */
    private final ArrayDeque<Run> startable = new ArrayDeque<>();
    /** The number of startable runs that this lap has not judged again. */
    private int left;

    private long judgements;

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

    /** True if the next advance should judge more runs at once. */
    boolean hasPendingWork() {
        return !unjudged.isEmpty() || left > 0;
    }

    /**
     * Records the holds of runs that are still queued. Runs that may start any moment are judged again in each advance,
     * as many as it may judge. A lap that is unfinished continues at once, unless nothing may start anyway.
     */
    void recordHolds(boolean mayStart, long now) {
        if (left == 0) {
            left = startable.size();
        }
        for (int judged = 0; judged < JUDGED_MAX && hasPendingWork(); ) {
            if (unjudged.isEmpty()) {
                left--;
            }
            Run run = unjudged.isEmpty() ? startable.remove() : unjudged.remove();
            Ticket ticket = run.ticket;
            if (ticket != null && !run.detail.isHeld()) {
                judged++;
                judgements++;
                judge(run, ticket, now);
            }
        }
        if (!mayStart) {
            left = 0;
        }
    }

    private void judge(Run run, Ticket ticket, long now) {
        Hold hold = admission.firstHold(ticket, now).orElse(Hold.NO_WORKER);
        if (hold.limit() instanceof LimitId.Shared limit) {
            long until = HoldCheck.at(run.id(), admission.nextCheck(ticket, now), now);
            run.detail = run.detail.withHoldUntil(until);
            moves.add(new Move.RunHeld(run.ref, limit, until, now));
        } else if (hold.equals(Hold.NO_WORKER)) {
            startable.add(run);
        }
    }

    /** The number of judgements so far. It measures work independently of the machine. */
    long judgements() {
        return judgements;
    }
}
