package dev.weir.core.life;

import dev.weir.core.state.AwaitedEvent;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.UnitId;
import org.jspecify.annotations.Nullable;

/**
 * Approves a step that waits at its gate.
 *
 * @param by the person who approves
 * @param note the person's remark
 */
public record ApproveStep(
        String run, String step, String by, @Nullable String note) implements Command<ApproveStep.Answer> {
    /** The answer to the person. */
    public enum Answer {
        /** The step is approved now, or was before by the same person with the same note. */
        APPROVED,
        /** The step does not wait for an approval. */
        NOT_WAITING,
        NOT_FOUND
    }

    @Override
    public Answer decide(Organisation org, long now) {
        if (!(org.find(UnitId.of(run, step)) instanceof RunStep found)) {
            return Answer.NOT_FOUND;
        }
        if (found.waitsFor != AwaitedEvent.GATE || found.detail.skipping()) {
            StepRow.Approval before = found.detail.approval();
            return before != null && before.says(true, by, note) ? Answer.APPROVED : Answer.NOT_WAITING;
        }
        found.detail = found.detail.approved(new StepRow.Approval(true, by, note, now));
        org.steps.approved(found, now);
        return Answer.APPROVED;
    }
}
