package dev.weir.postgres.journal;

import dev.weir.core.state.Claim;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import dev.weir.postgres.json.StepJson;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The change of the rows of a step or item, and of its claim, in a transaction. */
final class StepChange {
    /** The place of the row before the transaction. */
    private enum Origin {
        NONE,
        LIVE,
        HISTORY
    }

    /** The fence value that stands for no claim. */
    private static final long NO_FENCE = 0;

    private final UnitKey key;
    private final RunChange run;
    private @Nullable Origin origin;

    /** The row to write; null if the row stays as it is. */
    private @Nullable StepRow row;

    private long movedAt;
    private long releasedFence = NO_FENCE;
    /** The grant time of the claim that was released last, until the step moves on. */
    private @Nullable Long grantedAt;

    private long extendedFence = NO_FENCE;
    private long extendedUntil;
    private @Nullable Claim claim;
    private int attempts;
    private boolean sharesNeeds;
    /** The fence of the stored claim that the new claim overwrites. */
    private long replacedFence = NO_FENCE;

    private StepRow.@Nullable Detail detail;

    /** The row of a step that became ready when its run started, as long as nothing else has happened to it. */
    private @Nullable StepRow openingRow;

    StepChange(UnitKey key, RunChange run) {
        this.key = key;
        this.run = run;
    }

    UnitKey key() {
        return key;
    }

    boolean hasKey(short step, int item) {
        return key.step() == step && key.item() == item;
    }

    void create(StepRow created) {
        origin = Origin.NONE;
        row = created;
    }

    void move(StepRow moved, StepState from, long at) {
        recordOrigin(from);
        row = moved;
        movedAt = at;
        if (!moved.state().ended()) {
            grantedAt = null;
        }
        openingRow = from == StepState.BLOCKED && moved.state() == StepState.READY ? moved : null;
    }

    /** Applies a grant. An existing row stays as it is, because the claim contains everything that changed. */
    void grant(Claim granted, StepRow grantedRow, StepState from) {
        recordOrigin(from);
        claim = granted;
        attempts = grantedRow.attempts();
        sharesNeeds = Objects.equals(granted.limitNeeds(), grantedRow.limitNeeds());
        boolean keepsRow = origin == Origin.LIVE ? row == null : row != null && openingRow != null;
        if (!keepsRow) {
            openingRow = null;
            row = grantedRow;
        }
    }

    /** Continues a claim under a new fence. The old claim's row becomes the row of the new claim. */
    void resume(Claim resumed, long replaced, StepRow resumedRow) {
        recordOrigin(StepState.NEEDS_INPUT);
        if (claim == null) {
            replacedFence = replaced;
        }
        claim = resumed;
        attempts = resumedRow.attempts();
        sharesNeeds = Objects.equals(resumed.limitNeeds(), resumedRow.limitNeeds());
        extendedFence = NO_FENCE;
        openingRow = null;
        row = resumedRow;
    }

    void change(StepRow.Detail changed) {
        if (row == null) {
            detail = changed;
        } else {
            openingRow = null;
            row = row.with(changed);
        }
    }

    void extend(long fence, long until) {
        extendedFence = fence;
        extendedUntil = until;
    }

    /** Replaces the output of a step that has ended. Its grant time is no longer known here. */
    void amend(StepRow amended, long at) {
        grantedAt = null;
        move(amended, amended.state(), at);
    }

    void release(long fence, long granted) {
        grantedAt = granted;
        if (claim == null) {
            releasedFence = fence;
        } else if (replacedFence != NO_FENCE) {
            releasedFence = replacedFence;
        }
        claim = null;
        replacedFence = NO_FENCE;
        extendedFence = NO_FENCE;
    }

    private void recordOrigin(StepState from) {
        if (origin == null) {
            origin = switch (from) {
                case BLOCKED -> Origin.NONE;
                case FAILED, COMPLETED, CANCELLED, SKIPPED -> Origin.HISTORY;
                case READY, REQUESTED, RUNNING, NEEDS_INPUT, BACKING_OFF, WAITING -> Origin.LIVE;
            };
        }
    }

    void addTo(RowWrites writes, int org) {
        boolean isInlined = row != null && addStep(writes, org, row);
        if (row == null && detail != null) {
            writes.add("update_step_details", org, key.run(), key.step(), key.item(), StepJson.detail(detail));
        }
        if (needsOwnRow()) {
            run.ref.markClaimRows();
            if (!writes.pages(org).moveToOwnRow(key, writes, org)) {
                writes.add("move_claims_out_of_runs", org, key.run(), key.step());
            }
        }
        if (releasedFence != NO_FENCE) {
            release(writes, org);
        }
        if (claim != null) {
            if (isInline() && !run.ref.mayHaveStepRows()) {
                writes.pages(org).addGranted(this);
            } else if (!isInlined || !run.addInlineClaim(inlineClaim())) {
                addClaim(writes, org);
            }
        } else if (extendedFence != NO_FENCE) {
            writes.add("update_claims", org, key.run(), key.step(), key.item(), extendedFence, extendedUntil);
        }
    }

    private void release(RowWrites writes, int org) {
        if (run.ref.mayHaveEmbeddedClaims()) {
            writes.pages(org).remove(key);
        }
        // This must follow the removal from the page: until then, a transaction that is prepared at the same time may
        // give the claim a row of its own.
        if (run.ref.mayHaveClaimRows()) {
            writes.deleteClaim(org, key, releasedFence);
        }
    }

    /** True if the step is still stored inside its run's row, provided that no step of the run has a row of its own. */
    private boolean isInline() {
        return origin == Origin.LIVE
                && row == null
                && key.item() == UnitId.NO_ITEM
                && releasedFence == NO_FENCE
                && replacedFence == NO_FENCE;
    }

    /**
     * True if the claim needs a row of its own now, in case it was inside a shared row: the claim changes, or the step
     * changes and keeps its claim. A released claim ends with the step's new row, and so does the claim of a step that
     * ended.
     */
    private boolean needsOwnRow() {
        boolean stays = releasedFence == NO_FENCE && origin != Origin.NONE && origin != Origin.HISTORY;
        boolean changes = replacedFence != NO_FENCE || (claim == null && (extendedFence != NO_FENCE || row != null));
        return stays && changes && key.item() == UnitId.NO_ITEM && run.ref.mayHaveEmbeddedClaims();
    }

    /** Writes the step. Returns true if it was written inside its run's row as an open step. */
    private boolean addStep(RowWrites writes, int org, StepRow written) {
        if (origin == Origin.HISTORY) {
            writes.add("delete_step_history", org, key.run(), key.step(), key.item());
        }
        if (written.state().ended()) {
            if (origin == Origin.LIVE && run.ref.mayHaveStepRows()) {
                writes.add("delete_steps", org, key.run(), key.step(), key.item());
            }
            if (!run.canInlineEndedAt(movedAt)
                    || !run.addInlineStep(StepRows.inlineEnded(key, written, run, grantedAt))) {
                writes.add(
                        "insert_step_history",
                        StepRows.historyColumns(org, key, written, run.plan(), new StepRows.End(movedAt, grantedAt)));
            }
            return false;
        }
        if (openingRow != null
                && run.canInlineReadyAt(movedAt)
                && run.addInlineStep(StepRows.inlineReady(key, written, run))) {
            return true;
        }
        run.ref.markStepRows();
        writes.add(
                origin == Origin.LIVE ? "update_steps" : "insert_steps",
                StepRows.liveColumns(org, key, written, run.plan()));
        return false;
    }

    private ClaimRows.Granted granted() {
        Claim written = Objects.requireNonNull(claim);
        return new ClaimRows.Granted(
                written, attempts, extendedFence == NO_FENCE ? written.until() : extendedUntil, sharesNeeds);
    }

    /** Returns the claim in the form in which it is written inside a shared row. */
    String inlineClaim() {
        return ClaimRows.inlineEntry(key, granted());
    }

    /** Records that the claim is written in that page. */
    void placeInPage(long page, ClaimPages pages) {
        run.ref.markEmbeddedClaims();
        pages.assign(key, page, run.ref);
    }

    /** Writes the claim as a row of its own. */
    void addClaim(RowWrites writes, int org) {
        run.ref.markClaimRows();
        writes.add(
                replacedFence == NO_FENCE ? "insert_claims" : "replace_claims",
                ClaimRows.claimColumns(org, key, granted()));
    }
}
