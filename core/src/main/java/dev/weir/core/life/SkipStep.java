package dev.weir.core.life;

/** Skips an optional step that has not started: what needs it goes on without it. */
public record SkipStep(String run, String step) implements Command<SkipStep.Answer> {
    /** What the operator is told. */
    public enum Answer {
        /** It is skipped, or on its way there if it has very many items. */
        SKIPPED,
        NOT_OPTIONAL,
        /** It is running, or some of its items have started. */
        STARTED,
        ALREADY_ENDED,
        NOT_FOUND
    }

    @Override
    public Answer decide(Organisation org, long now) {
        if (!(org.find(UnitId.of(run, step)) instanceof RunStep found)) {
            return Answer.NOT_FOUND;
        }
        if (!found.planned.definition.optional()) {
            return Answer.NOT_OPTIONAL;
        }
        if (found.state.ended()) {
            return found.state == StepState.SKIPPED ? Answer.SKIPPED : Answer.ALREADY_ENDED;
        }
        if (found.detail.skipping()) {
            return Answer.SKIPPED;
        }
        if (found.state == StepState.RUNNING
                || found.state == StepState.NEEDS_INPUT
                || found.waitsFor == WaitsFor.CHILD) {
            return Answer.STARTED;
        }
        org.steps.skip(found, now);
        return Answer.SKIPPED;
    }
}
