package dev.weir.core.command;

import dev.weir.core.state.StepRow;
import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import tools.jackson.databind.JsonNode;

/**
 * Gives a step or item the input that it needs from a person. It continues with the next worker: under its present
 * claim, or after a new admission if it returned its allocation meanwhile ({@code on_needs_input: release}).
 */
public record ProvideInput(UnitId unit, JsonNode input) implements StepCommand<ProvideInput.Answer> {
    /** The answer to the person. */
    public enum Answer {
        /** The unit has this input now, or had it before. */
        PROVIDED,
        /** The unit already has other input, and does not ask for more. */
        ALREADY_PROVIDED,
        /** The step does not ask for input. */
        NOT_WAITING,
        NOT_FOUND
    }

    @Override
    public JsonNode data() {
        return input;
    }

    @Override
    public Answer decide(StepControl steps, long now) {
        StepRow found = steps.findStep(unit).orElse(null);
        if (found == null) {
            return Answer.NOT_FOUND;
        }
        JsonNode before = found.detail().provided();
        if (before != null) {
            return before.equals(input) ? Answer.PROVIDED : Answer.ALREADY_PROVIDED;
        }
        if (found.state() != StepState.NEEDS_INPUT) {
            return Answer.NOT_WAITING;
        }
        steps.provideInput(unit, input, now);
        return Answer.PROVIDED;
    }
}
