package dev.weir.core.life;

import org.jspecify.annotations.Nullable;

/** A person takes an approval back, as long as nothing of the step has started: it waits for its gate again. */
public record RevokeApproval(
        String run, String step, String by, @Nullable String note) implements Command<RevokeApproval.Answer> {
    /** What the person is told. */
    public enum Answer {
        /** It is taken back, or was by the same words before. */
        REVOKED,
        /** The step is not approved, or has no gate. */
        NOT_APPROVED,
        /** It has started, or some of its items have, or it has ended or is skipped. */
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
