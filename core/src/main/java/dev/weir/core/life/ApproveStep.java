package dev.weir.core.life;

/** A person lets a step through its gate. */
public record ApproveStep(String run, String step) implements Command<ApproveStep.Answer> {
    /** What the person is told. */
    public enum Answer {
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
        if (found.waitsFor != WaitsFor.GATE) {
            return Answer.NOT_WAITING;
        }
        org.steps.approved(found, now);
        return Answer.APPROVED;
    }
}
