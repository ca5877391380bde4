package dev.weir.core.life;

import org.jspecify.annotations.Nullable;

/**
 * A person lets a step through its gate.
 *
 * @param by who
 * @param note what that person has to say to it
 */
public record ApproveStep(
        String run, String step, String by, @Nullable String note) implements Command<ApproveStep.Answer> {
    /** What the person is told. */
    public enum Answer {
        /** It is let through, or was by the same words before. */
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
        if (found.waitsFor != WaitsFor.GATE || found.detail.skipping()) {
            StepRow.Approval before = found.detail.approval();
            return before != null && before.says(true, by, note) ? Answer.APPROVED : Answer.NOT_WAITING;
        }
        found.detail = found.detail.approved(new StepRow.Approval(true, by, note, now));
        org.steps.approved(found, now);
        return Answer.APPROVED;
    }
}
