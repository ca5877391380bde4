package dev.weir.core.command;

import dev.weir.core.state.StepRow;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Revokes an approval as long as nothing of the step has started. The step waits at its gate again. */
public record RevokeApproval(
        String run, String step, String by, @Nullable String note) implements StepCommand<RevokeApproval.Answer> {
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
    public UnitId unit() {
        return UnitId.of(run, step);
    }

    @Override
    public @Nullable JsonNode data() {
        return null;
    }

    @Override
    public Answer decide(StepControl steps, long now) {
        StepRow found = steps.findStep(unit()).orElse(null);
        if (found == null) {
            return Answer.NOT_FOUND;
        }
        StepRow.Approval approval = found.detail().approval();
        if (approval == null || !approval.approved()) {
            return approval != null && approval.isSameDecision(false, by, note) ? Answer.REVOKED : Answer.NOT_APPROVED;
        }
        if (found.state() != StepState.READY
                || found.fence() > 0
                || found.detail().skipping()) {
            return Answer.STARTED;
        }
        steps.revoke(unit(), new StepRow.Approval(false, by, note, now), now);
        return Answer.REVOKED;
    }
}
