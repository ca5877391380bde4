package dev.weir.core.command;

import dev.weir.core.state.AwaitedEvent;
import dev.weir.core.state.StepRow;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Skips an optional step that has not started. Its dependents continue without it. */
public record SkipStep(String run, String step) implements StepCommand<SkipStep.Answer> {
    /** The answer to the operator. */
    public enum Answer {
        /** The step is skipped, or is being skipped if it has very many items. */
        SKIPPED,
        NOT_OPTIONAL,
        /** The step is running, or some of its items have started. */
        STARTED,
        ALREADY_ENDED,
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
        if (!steps.isOptional(unit())) {
            return Answer.NOT_OPTIONAL;
        }
        StepState state = found.state();
        if (state.ended()) {
            return state == StepState.SKIPPED ? Answer.SKIPPED : Answer.ALREADY_ENDED;
        }
        if (found.detail().skipping()) {
            return Answer.SKIPPED;
        }
        if (state == StepState.RUNNING || state == StepState.NEEDS_INPUT || found.waitsFor() == AwaitedEvent.CHILD) {
            return Answer.STARTED;
        }
        steps.skip(unit(), now);
        return Answer.SKIPPED;
    }
}
