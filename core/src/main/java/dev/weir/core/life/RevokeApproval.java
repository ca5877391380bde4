package dev.weir.core.life;

import dev.weir.core.state.StepRow;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import org.jspecify.annotations.Nullable;

/** Revokes an approval as long as nothing of the step has started. The step waits at its gate again. */
public record RevokeApproval(
        String run, String step, String by, @Nullable String note) implements Command<RevokeApproval.Answer> {
    /** The answer to the person. */
    public enum Answer {
        /** The approval is revoked, or was before by the same person with the same note. */
        REVOKED,
        /** The step is not approved, or has no gate. */
        NOT_APPROVED,
        /** The step or some of its items have started, or it has ended or is being skipped. */
        STARTED,
        NOT_FOUND
    }

    @Override
    public Answer decide(Organisation org, long now) {
        if (!(org.find(UnitId.of(run, step)) instanceof RunStep found)) {
            return Answer.NOT_FOUND;
        }
        StepRow.Approval approval = found.detail.approval();
        if (approval == null || !approval.approved()) {
            return approval != null && approval.says(false, by, note) ? Answer.REVOKED : Answer.NOT_APPROVED;
        }
        if (found.state != StepState.READY || found.fence > 0 || found.detail.skipping()) {
            return Answer.STARTED;
        }
        found.detail = found.detail.approved(new StepRow.Approval(false, by, note, now));
        org.steps.revoked(found, now);
        return Answer.REVOKED;
    }
}
