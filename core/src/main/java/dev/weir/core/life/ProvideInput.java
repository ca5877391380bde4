package dev.weir.core.life;

import dev.weir.core.state.StepState;
import dev.weir.core.state.UnitId;
import tools.jackson.databind.JsonNode;

/**
 * Gives a step or item the input that it needs from a person. It continues with the next worker: under its present
 * claim, or after a new admission if it returned its allocation meanwhile ({@code on_needs_input: release}).
 */
public record ProvideInput(UnitId unit, JsonNode input) implements Command<ProvideInput.Answer> {
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
    public Answer decide(Organisation org, long now) {
        Unit found = org.find(unit);
        if (found == null) {
            return Answer.NOT_FOUND;
        }
        if (found.detail.provided() != null) {
            return found.detail.provided().equals(input) ? Answer.PROVIDED : Answer.ALREADY_PROVIDED;
        }
        if (found.state != StepState.NEEDS_INPUT) {
            return Answer.NOT_WAITING;
        }
        org.inputs.provide(found, input, now);
        return Answer.PROVIDED;
    }
}
