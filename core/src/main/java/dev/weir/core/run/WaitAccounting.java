package dev.weir.core.run;

import dev.weir.core.admission.Hold;
import dev.weir.core.admission.WaitRecord;
import dev.weir.core.limit.LimitId;
import dev.weir.core.state.Move;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.StepState;
import dev.weir.core.state.WaitEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records what steps, items and runs waited for as they change state. All other time was work. It costs a few
 * comparisons for each move, and a step that starts at once and completes stores nothing.
 */
final class WaitAccounting {
    /** The shortest wait for a start that is recorded, in microseconds. Shorter ones count as work. */
    static final long NOTED_MIN = 20_000;

    private WaitAccounting() {}

    /** Returns the time from which the present wait of a unit counts. */
    private static long from(Unit unit) {
        StepRow.Spent spent = unit.detail.spent();
        return spent == null ? fromStep(unit) : spent.at();
    }

    private static long fromStep(Unit unit) {
        StepRow.Spent spent = unit.step().detail.spent();
        return spent == null || unit instanceof RunStep ? unit.step().since : spent.at();
    }

    private static List<WaitEntry> waited(Unit unit) {
        StepRow.Spent spent = unit.detail.spent();
        return spent == null ? List.of() : spent.waited();
    }

    /**
     * Records the wait that ends when a unit moves to another state.
     *
     * @param before the waits for its limits, if its ticket was withdrawn
     */
    static void moves(Unit unit, StepState next, List<WaitEntry> before, long now) {
        List<WaitEntry> waited = WaitEntry.plus(waited(unit), before);
        WaitEntry more = more(unit, now);
        if (more != null) {
            waited = WaitEntry.plus(waited, more);
        }
        boolean goesOn = !next.ended() && next != StepState.RUNNING;
        if (waited.isEmpty() && (!goesOn || now == unit.step().since)) {
            unit.detail = unit.detail.spent(null);
        } else {
            unit.detail = unit.detail.spent(new StepRow.Spent(at(unit, next, now), waited));
        }
    }

    /**
     * Returns the time from which the next wait counts. The start of the first item does not reset it for the other
     * items.
     */
    private static long at(Unit unit, StepState next, long now) {
        boolean itemsGoOn = next == StepState.RUNNING && unit instanceof RunStep step && step.items != null;
        return next.ended() ? 0 : itemsGoOn ? from(unit) : now;
    }

    private static @Nullable WaitEntry more(Unit unit, long now) {
        WaitEntry.For what = switch (unit.state) {
            case WAITING ->
                unit instanceof RunStep step && step.waitsFor != null
                        ? WaitEntry.For.of(step.waitsFor)
                        : WaitEntry.For.CHILD;
            case BACKING_OFF -> WaitEntry.For.BACKOFF;
            case NEEDS_INPUT -> WaitEntry.For.NEEDS_INPUT;
            case READY, REQUESTED, BLOCKED, RUNNING, COMPLETED, FAILED, CANCELLED, SKIPPED -> null;
        };
        return what == null ? null : new WaitEntry(what, null, Math.max(0, now - from(unit)));
    }

    /** Returns the waits of a unit that is granted now, since it last queued for its limits. */
    static List<WaitEntry> untilGrant(Unit unit, WaitRecord kept, long now) {
        long from = from(unit);
        return now - from < NOTED_MIN ? List.of() : parts(from, kept, Hold.NO_WORKER, now);
    }

    /**
     * Returns the waits of a unit whose ticket is withdrawn now, since it last queued for its limits.
     *
     * @param last the hold that refuses it now
     */
    static List<WaitEntry> untilTakenOut(Unit unit, WaitRecord kept, Hold last, long now) {
        long from = from(unit);
        return now - from < NOTED_MIN ? List.of() : parts(from, kept, last, now);
    }

    /**
     * Returns the waits of a run that starts, or whose ticket is withdrawn, now.
     *
     * @param last the hold that refuses it now; {@link Hold#NO_WORKER} for a run that starts
     */
    static List<WaitEntry> untilStart(Run run, WaitRecord kept, Hold last, long now) {
        long from = Math.clamp(run.detail.notBefore(), run.acceptedAt, now);
        List<WaitEntry> waited = parts(from, kept, last, now);
        return from == run.acceptedAt
                ? waited
                : WaitEntry.plus(List.of(new WaitEntry(WaitEntry.For.DELAYED, null, from - run.acceptedAt)), waited);
    }

    /**
     * Divides a wait by its causes. If the run's own limits refuse the ticket now, they get all of the time, as they
     * are also the first reason that a waiting step shows. Otherwise the run's last hold counts until it ended, then
     * the last hold of a shared limit if it ended later. The time since both had room goes to the present hold, which
     * may be a missing worker.
     */
    private static List<WaitEntry> parts(long from, WaitRecord kept, Hold last, long now) {
        if (last.limit() instanceof LimitId.Local) {
            return WaitEntry.plus(List.of(), WaitEntry.of(last, now - from));
        }
        long local = Math.clamp(kept.localUntil(), from, now);
        long shared = Math.clamp(kept.sharedUntil(), local, now);
        List<WaitEntry> waited = List.of();
        if (kept.local() != null) {
            waited = WaitEntry.plus(waited, WaitEntry.of(kept.local(), local - from));
        }
        if (kept.shared() != null) {
            waited = WaitEntry.plus(waited, WaitEntry.of(kept.shared(), shared - local));
        }
        return WaitEntry.plus(waited, WaitEntry.of(last, now - Math.max(local, shared)));
    }

    /** Moves the waits that were recorded on a claim to its unit, because the claim has ended. */
    static void released(LiveClaim lease, Move.Released.How how, long now) {
        Unit unit = lease.unit;
        List<WaitEntry> waited = WaitEntry.plus(waited(unit), lease.claim.waited());
        if (how == Move.Released.How.EXPIRED) {
            StepRow.Spent spent = unit.detail.spent();
            long since = spent == null ? 0 : spent.at();
            long held = now - Math.max(lease.claim.grantedAt(), since);
            waited = WaitEntry.plus(waited, new WaitEntry(WaitEntry.For.LOST_WORKER, null, Math.max(0, held)));
        }
        if (!waited.isEmpty() && unit.state != StepState.NEEDS_INPUT) {
            unit.detail = unit.detail.spent(new StepRow.Spent(now, waited));
        } else if (!waited.isEmpty()) {
            unit.detail = unit.detail.spent(new StepRow.Spent(from(unit), waited));
        }
    }
}
