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
    static final long RECORDED_MIN = 20_000;

    private WaitAccounting() {}

    /** Returns the time from which the present wait of a unit counts. */
    private static long waitStart(Unit unit) {
        StepRow.Waits waits = unit.detail.waits();
        return waits == null ? stepWaitStart(unit) : waits.currentSince();
    }

    private static long stepWaitStart(Unit unit) {
        StepRow.Waits waits = unit.step().detail.waits();
        return waits == null || unit instanceof RunStep ? unit.step().since : waits.currentSince();
    }

    private static List<WaitEntry> recordedWaits(Unit unit) {
        StepRow.Waits waits = unit.detail.waits();
        return waits == null ? List.of() : waits.waited();
    }

    /**
     * Records the wait that ends when a unit moves to another state.
     *
     * @param withdrawnWaits the waits for its limits, if its ticket was withdrawn
     */
    static void recordMove(Unit unit, StepState next, List<WaitEntry> withdrawnWaits, long now) {
        List<WaitEntry> waited = WaitEntry.merge(recordedWaits(unit), withdrawnWaits);
        WaitEntry endingWait = endingWait(unit, now);
        if (endingWait != null) {
            waited = WaitEntry.merge(waited, endingWait);
        }
        boolean continues = !next.ended() && next != StepState.RUNNING;
        if (waited.isEmpty() && (!continues || now == unit.step().since)) {
            unit.detail = unit.detail.withWaits(null);
        } else {
            unit.detail = unit.detail.withWaits(new StepRow.Waits(nextWaitStart(unit, next, now), waited));
        }
    }

    /**
     * Returns the time from which the next wait counts. The start of the first item does not reset it for the other
     * items.
     */
    private static long nextWaitStart(Unit unit, StepState next, long now) {
        boolean itemsContinue = next == StepState.RUNNING && unit instanceof RunStep step && step.items != null;
        return next.ended() ? 0 : itemsContinue ? waitStart(unit) : now;
    }

    private static @Nullable WaitEntry endingWait(Unit unit, long now) {
        WaitEntry.Cause cause = switch (unit.state) {
            case WAITING ->
                unit instanceof RunStep step && step.waitsFor != null
                        ? WaitEntry.Cause.of(step.waitsFor)
                        : WaitEntry.Cause.CHILD;
            case BACKING_OFF -> WaitEntry.Cause.BACKOFF;
            case NEEDS_INPUT -> WaitEntry.Cause.NEEDS_INPUT;
            case READY, REQUESTED, BLOCKED, RUNNING, COMPLETED, FAILED, CANCELLED, SKIPPED -> null;
        };
        return cause == null ? null : new WaitEntry(cause, null, Math.max(0, now - waitStart(unit)));
    }

    /** Returns the waits of a unit that is granted now, since it last queued for its limits. */
    static List<WaitEntry> waitsUntilGrant(Unit unit, WaitRecord waitRecord, long now) {
        long from = waitStart(unit);
        return now - from < RECORDED_MIN ? List.of() : splitByCause(from, waitRecord, Hold.NO_WORKER, now);
    }

    /**
     * Returns the waits of a unit whose ticket is withdrawn now, since it last queued for its limits.
     *
     * @param currentHold the hold that refuses it now
     */
    static List<WaitEntry> waitsUntilWithdrawal(Unit unit, WaitRecord waitRecord, Hold currentHold, long now) {
        long from = waitStart(unit);
        return now - from < RECORDED_MIN ? List.of() : splitByCause(from, waitRecord, currentHold, now);
    }

    /** Records what a unit has waited for, because its ticket is replaced now. Its wait continues. */
    static void recordRequeue(Unit unit, WaitRecord waitRecord, Hold currentHold, long now) {
        List<WaitEntry> waits = waitsUntilWithdrawal(unit, waitRecord, currentHold, now);
        if (!waits.isEmpty()) {
            unit.detail = unit.detail.withWaits(new StepRow.Waits(now, WaitEntry.merge(recordedWaits(unit), waits)));
        }
    }

    /**
     * Returns the waits of a run that starts, or whose ticket is withdrawn, now.
     *
     * @param currentHold the hold that refuses it now; {@link LimitUse#NO_WORKER} for a run that starts
     */
    static List<WaitEntry> waitsUntilStart(Run run, WaitRecord waitRecord, Hold currentHold, long now) {
        long from = Math.clamp(run.detail.notBefore(), run.acceptedAt, now);
        List<WaitEntry> waited = splitByCause(from, waitRecord, currentHold, now);
        return from == run.acceptedAt
                ? waited
                : WaitEntry.merge(List.of(new WaitEntry(WaitEntry.Cause.DELAYED, null, from - run.acceptedAt)), waited);
    }

    /**
     * Divides a wait by its causes. If the run's own limits refuse the ticket now, they get all of the time, as they
     * are also the first reason that a waiting step shows. Otherwise the run's last hold counts until it ended, then
     * the last hold of a shared limit if it ended later. The time since both had room goes to the present hold, which
     * may be a missing worker.
     */
    private static List<WaitEntry> splitByCause(long from, WaitRecord waitRecord, Hold currentHold, long now) {
        if (currentHold.limit() instanceof LimitId.Local) {
            return WaitEntry.merge(List.of(), WaitEntry.of(currentHold, now - from));
        }
        long local = Math.clamp(waitRecord.localUntil(), from, now);
        long shared = Math.clamp(waitRecord.sharedUntil(), local, now);
        List<WaitEntry> waited = List.of();
        if (waitRecord.local() != null) {
            waited = WaitEntry.merge(waited, WaitEntry.of(waitRecord.local(), local - from));
        }
        if (waitRecord.shared() != null) {
            waited = WaitEntry.merge(waited, WaitEntry.of(waitRecord.shared(), shared - local));
        }
        return WaitEntry.merge(waited, WaitEntry.of(currentHold, now - Math.max(local, shared)));
    }

    /** Moves the waits that were recorded on a claim to its unit, because the claim has ended. */
    static void recordRelease(LiveClaim liveClaim, Move.Released.Cause releaseCause, long now) {
        Unit unit = liveClaim.unit;
        List<WaitEntry> waited = WaitEntry.merge(recordedWaits(unit), liveClaim.claim.waited());
        if (releaseCause == Move.Released.Cause.EXPIRED) {
            StepRow.Waits waits = unit.detail.waits();
            long since = waits == null ? 0 : waits.currentSince();
            long duration = now - Math.max(liveClaim.claim.grantedAt(), since);
            waited = WaitEntry.merge(waited, new WaitEntry(WaitEntry.Cause.LOST_WORKER, null, Math.max(0, duration)));
        }
        if (!waited.isEmpty() && unit.state != StepState.NEEDS_INPUT) {
            unit.detail = unit.detail.withWaits(new StepRow.Waits(now, waited));
        } else if (!waited.isEmpty()) {
            unit.detail = unit.detail.withWaits(new StepRow.Waits(waitStart(unit), waited));
        }
    }
}
