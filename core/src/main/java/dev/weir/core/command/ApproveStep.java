package dev.weir.core.command;

import dev.weir.core.state.AwaitedEvent;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.UnitId;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Approves a step that waits at its gate.
 *
 * @param by the person who approves
 * @param note the person's remark
 */
public record ApproveStep(
        String run, String step, String by, @Nullable String note) implements StepCommand<ApproveStep.Answer> {
    /** The answer to the person. */
    public enum Answer {
        /** The step is approved now, or was before by the same person with the same note. */
        APPROVED,
        /** The step does not wait for an approval. */
        NOT_WAITING,
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
        if (found.waitsFor() != AwaitedEvent.GATE || found.detail().skipping()) {
            StepRow.Approval before = found.detail().approval();
            return before != null && before.isSameDecision(true, by, note) ? Answer.APPROVED : Answer.NOT_WAITING;
        }
        steps.approve(unit(), new StepRow.Approval(true, by, note, now), now);
        return Answer.APPROVED;
    }
}
