package dev.weir.core.life;

import dev.weir.core.admission.Held;
import dev.weir.core.admission.Refusal;
import dev.weir.core.limit.LimitId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Notes what steps, items and runs waited for, as they go from state to state; what is not noted was work. It costs a few
 * comparisons at a move, and a step that starts at once and completes keeps nothing.
 */
final class Spending {
    /** Waits for a start that are shorter are not noted, in microseconds: they count as work. */
    static final long NOTED_MIN = 20_000;

    private Spending() {}

    /** From when on the present wait of a unit counts. */
    private static long from(Unit unit) {
        StepRow.Spent spent = unit.detail.spent();
        return spent == null ? fromStep(unit) : spent.at();
    }

    private static long fromStep(Unit unit) {
        StepRow.Spent spent = unit.step().detail.spent();
        return spent == null || unit instanceof RunStep ? unit.step().since : spent.at();
    }

    private static List<Waited> waited(Unit unit) {
        StepRow.Spent spent = unit.detail.spent();
        return spent == null ? List.of() : spent.waited();
    }

    /**
     * A unit comes into another state.
     *
     * @param before what it waited for before its limits, if it was taken out there
     */
    static void moves(Unit unit, StepState next, List<Waited> before, long now) {
        List<Waited> waited = Waited.plus(waited(unit), before);
        Waited more = more(unit, now);
        if (more != null) {
            waited = Waited.plus(waited, more);
        }
        boolean goesOn = !next.ended() && next != StepState.RUNNING;
        if (waited.isEmpty() && (!goesOn || now == unit.step().since)) {
            unit.detail = unit.detail.spent(null);
        } else {
            unit.detail = unit.detail.spent(new StepRow.Spent(at(unit, next, now), waited));
        }
    }

    /** From when on the next wait counts: for the items of a step, not from when the first of them has started. */
    private static long at(Unit unit, StepState next, long now) {
        boolean itemsGoOn = next == StepState.RUNNING && unit instanceof RunStep step && step.items != null;
        return next.ended() ? 0 : itemsGoOn ? from(unit) : now;
    }

    private static @Nullable Waited more(Unit unit, long now) {
        Waited.For what = switch (unit.state) {
            case WAITING ->
                unit instanceof RunStep step && step.waitsFor != null ? Waited.For.of(step.waitsFor) : Waited.For.CHILD;
            case BACKING_OFF -> Waited.For.BACKOFF;
            case NEEDS_INPUT -> Waited.For.NEEDS_INPUT;
            case READY, REQUESTED, BLOCKED, RUNNING, COMPLETED, FAILED, CANCELLED, SKIPPED -> null;
        };
        return what == null ? null : new Waited(what, null, Math.max(0, now - from(unit)));
    }

    /** What a unit that is granted now has waited for since it was last put before its limits. */
    static List<Waited> untilGrant(Unit unit, Held kept, long now) {
        long from = from(unit);
        return now - from < NOTED_MIN ? List.of() : parts(from, kept, Refusal.NO_WORKER, now);
    }

    /**
     * What a unit that is taken out now has waited for since it was last put before its limits.
     *
     * @param last what refuses it now
     */
    static List<Waited> untilTakenOut(Unit unit, Held kept, Refusal last, long now) {
        long from = from(unit);
        return now - from < NOTED_MIN ? List.of() : parts(from, kept, last, now);
    }

    /**
     * What a run that starts or is taken out now has waited for.
     *
     * @param last what refuses it now; for one that starts, a worker was missing
     */
    static List<Waited> untilStart(Run run, Held kept, Refusal last, long now) {
        long from = Math.clamp(run.detail.notBefore(), run.acceptedAt, now);
        List<Waited> waited = parts(from, kept, last, now);
        return from == run.acceptedAt
                ? waited
                : Waited.plus(List.of(new Waited(Waited.For.DELAYED, null, from - run.acceptedAt)), waited);
    }

    /**
     * The last thing that refused counts. What its run refused last and what a shared limit refused last are told apart
     * where the shared one came after; from when both had room it was what refuses now, if only for want of a worker.
     * What its run refuses now has it all: that is said first of a step that waits, too.
     */
    private static List<Waited> parts(long from, Held kept, Refusal last, long now) {
        if (last.limit() instanceof LimitId.Local) {
            return Waited.plus(List.of(), Waited.of(last, now - from));
        }
        long local = Math.clamp(kept.localUntil(), from, now);
        long shared = Math.clamp(kept.sharedUntil(), local, now);
        List<Waited> waited = List.of();
        if (kept.local() != null) {
            waited = Waited.plus(waited, Waited.of(kept.local(), local - from));
        }
        if (kept.shared() != null) {
            waited = Waited.plus(waited, Waited.of(kept.shared(), shared - local));
        }
        return Waited.plus(waited, Waited.of(last, now - Math.max(local, shared)));
    }

    /** A claim has ended; what was noted on it goes to its unit. */
    static void released(Lease lease, Move.Released.How how, long now) {
        Unit unit = lease.unit;
        List<Waited> waited = Waited.plus(waited(unit), lease.claim.waited());
        if (how == Move.Released.How.EXPIRED) {
            StepRow.Spent spent = unit.detail.spent();
            long since = spent == null ? 0 : spent.at();
            long held = now - Math.max(lease.claim.grantedAt(), since);
            waited = Waited.plus(waited, new Waited(Waited.For.LOST_WORKER, null, Math.max(0, held)));
        }
        if (!waited.isEmpty() && unit.state != StepState.NEEDS_INPUT) {
            unit.detail = unit.detail.spent(new StepRow.Spent(now, waited));
        } else if (!waited.isEmpty()) {
            unit.detail = unit.detail.spent(new StepRow.Spent(from(unit), waited));
        }
    }
}
