package dev.weir.core.life;

import tools.jackson.databind.JsonNode;

/**
 * A person gives a step or item the input that it needs. It goes on with the next worker: as the claim that it has, or
 * admitted anew if it gave everything back meanwhile ({@code on_needs_input: release}).
 */
public record ProvideInput(UnitId unit, JsonNode input) implements Command<ProvideInput.Answer> {
    /** What the person is told. */
    public enum Answer {
        /** It has this input now, or had it before. */
        PROVIDED,
        /** It has other input already, and does not ask for more. */
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
