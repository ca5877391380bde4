package dev.weir.postgres.journal;

import dev.weir.core.life.Claim;
import dev.weir.core.life.StepRow;
import dev.weir.core.life.StepState;
import dev.weir.core.life.UnitId;
import dev.weir.postgres.json.StepJson;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the rows of a step or item and of its claim will be after the transaction. */
final class UnitImage {
    /** Where its row was before the transaction. */
    private enum Origin {
        NOWHERE,
        LIVE,
        HISTORY
    }

    /** The fence of no claim. */
    private static final long NO_FENCE = 0;

    private final UnitKey key;
    private final RunImage run;
    private @Nullable Origin origin;

    /** The row to write; absent if the row stays as it is. */
    private @Nullable StepRow row;

    private long movedAt;
    private long releasedFence = NO_FENCE;
    private long extendedFence = NO_FENCE;
    private long extendedUntil;
    private @Nullable Claim claim;
    private int attempts;
    private boolean sharesAsk;
    /** The fence of the claim that this one is written over. */
    private long replacedFence = NO_FENCE;

    private StepRow.@Nullable Detail detail;

    /** The row of a step that became ready when its run started, as long as nothing else has become of it. */
    private @Nullable StepRow opening;

    UnitImage(UnitKey key, RunImage run) {
        this.key = key;
        this.run = run;
    }

    UnitKey key() {
        return key;
    }

    boolean is(short step, int item) {
        return key.step() == step && key.item() == item;
    }

    void make(StepRow made) {
        origin = Origin.NOWHERE;
        row = made;
    }

    void move(StepRow moved, StepState from, long at) {
        from(from);
        row = moved;
        movedAt = at;
        opening = from == StepState.BLOCKED && moved.state() == StepState.READY ? moved : null;
    }

    /** A grant leaves the row as it is, if there is one: the claim says all that has changed. */
    void grant(Claim granted, StepRow granting, StepState from) {
        from(from);
        claim = granted;
        attempts = granting.attempts();
        sharesAsk = Objects.equals(granted.ask(), granting.ask());
        boolean sayable = origin == Origin.LIVE ? row == null : row != null && opening != null;
        if (!sayable) {
            opening = null;
            row = granting;
        }
    }

    /** A claim goes on under a new fence; what was its row becomes that of the new one. */
    void resume(Claim resumed, StepRow resuming) {
        from(StepState.NEEDS_INPUT);
        if (claim == null) {
            replacedFence = resumed.fence() - 1;
        }
        claim = resumed;
        attempts = resuming.attempts();
        sharesAsk = Objects.equals(resumed.ask(), resuming.ask());
        extendedFence = NO_FENCE;
        opening = null;
        row = resuming;
    }

    void change(StepRow.Detail changed) {
        if (row == null) {
            detail = changed;
        } else {
            opening = null;
            row = row.with(changed);
        }
    }

    void extend(long fence, long until) {
        extendedFence = fence;
        extendedUntil = until;
    }

    void release(long fence) {
        if (claim == null) {
            releasedFence = fence;
        } else if (replacedFence != NO_FENCE) {
            releasedFence = replacedFence;
        }
        claim = null;
        replacedFence = NO_FENCE;
        extendedFence = NO_FENCE;
    }

    private void from(StepState from) {
        if (origin == null) {
            origin = switch (from) {
                case BLOCKED -> Origin.NOWHERE;
                case FAILED, COMPLETED, CANCELLED, SKIPPED -> Origin.HISTORY;
                case READY, REQUESTED, RUNNING, NEEDS_INPUT, BACKING_OFF, WAITING -> Origin.LIVE;
            };
        }
    }

    void addTo(Writes writes, int org) {
        boolean opened = row != null && addStep(writes, org, row);
        if (row == null && detail != null) {
            writes.add("update_step_details", org, key.run(), key.step(), key.item(), StepJson.detail(detail));
        }
        if (mustLieApart()) {
            run.ref.hasClaimsApart();
            if (!writes.sheets(org).part(key, writes, org)) {
                writes.add("part_claims", org, key.run(), key.step());
            }
        }
        if (releasedFence != NO_FENCE) {
            release(writes, org);
        }
        if (claim != null) {
            if (isAsOpened() && !run.ref.mayHaveStepsApart()) {
                writes.sheets(org).take(this);
            } else if (!opened || !run.takeClaim(within())) {
                addClaim(writes, org);
            }
        } else if (extendedFence != NO_FENCE) {
            writes.add("update_claims", org, key.run(), key.step(), key.item(), extendedFence, extendedUntil);
        }
    }

    private void release(Writes writes, int org) {
        if (run.ref.mayHaveClaimsWithin()) {
            writes.sheets(org).leave(key);
        }
        // Only now: until it has left its sheet, a transaction that is made beside this one may give it a row of its
        // own.
        if (run.ref.mayHaveClaimsApart()) {
            writes.deleteClaim(org, key, releasedFence);
        }
    }

    /** Whether it is still written with its run, if none of the run's steps has a row of its own. */
    private boolean isAsOpened() {
        return origin == Origin.LIVE
                && row == null
                && key.item() == UnitId.NO_ITEM
                && releasedFence == NO_FENCE
                && replacedFence == NO_FENCE;
    }

    /**
     * Whether its claim, if it was written in another row, has to have a row of its own now: it changes, or the step does
     * and keeps it. A claim that is given back is over with what is written of its step, and so is that of one that ended.
     */
    private boolean mustLieApart() {
        boolean stays = releasedFence == NO_FENCE && origin != Origin.NOWHERE && origin != Origin.HISTORY;
        boolean changes = replacedFence != NO_FENCE || (claim == null && (extendedFence != NO_FENCE || row != null));
        return stays && changes && key.item() == UnitId.NO_ITEM && run.ref.mayHaveClaimsWithin();
    }

    /** Tells whether it was written with its run as one that is open. */
    private boolean addStep(Writes writes, int org, StepRow written) {
        if (origin == Origin.HISTORY) {
            writes.add("delete_step_history", org, key.run(), key.step(), key.item());
        }
        if (written.state().ended()) {
            if (origin == Origin.LIVE && run.ref.mayHaveStepsApart()) {
                writes.add("delete_steps", org, key.run(), key.step(), key.item());
            }
            if (!run.takesEnd(movedAt) || !run.take(StepRows.ended(key, written, run))) {
                writes.add("insert_step_history", StepRows.history(org, key, written, run.plan(), movedAt));
            }
            return false;
        }
        if (opening != null && run.takesStart(movedAt) && run.take(StepRows.opened(key, written, run))) {
            return true;
        }
        run.ref.hasStepsApart();
        writes.add(
                origin == Origin.LIVE ? "update_steps" : "insert_steps", StepRows.whole(org, key, written, run.plan()));
        return false;
    }

    private ClaimRows.Granted granted() {
        Claim written = Objects.requireNonNull(claim);
        return new ClaimRows.Granted(
                written, attempts, extendedFence == NO_FENCE ? written.until() : extendedUntil, sharesAsk);
    }

    /** Its claim as it is written in another row. */
    String within() {
        return ClaimRows.within(key, granted());
    }

    /** Notes that its claim is written in that sheet. */
    void liesIn(long sheet, Sheets sheets) {
        run.ref.hasClaimsWithin();
        sheets.place(key, sheet, run.ref);
    }

    /** Writes its claim as a row of its own. */
    void addClaim(Writes writes, int org) {
        run.ref.hasClaimsApart();
        writes.add(
                replacedFence == NO_FENCE ? "insert_claims" : "replace_claims", ClaimRows.whole(org, key, granted()));
    }
}
