package dev.weir.core.command;

import dev.weir.core.expression.RenderedTemplate;
import dev.weir.core.state.Claim;
import dev.weir.core.state.StepRow;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A claim with the data that its worker needs.
 *
 * @param attempt the number of the attempt, from 1
 * @param effect the effect number: that of the attempt before while the outcome of that attempt is unknown, else a
 *     greater one
 * @param input the rendered input of the step, with the names of secrets instead of their values
 * @param provided the input that a person has given later, because the step needed it
 */
public record Assignment(
        Claim claim,
        int attempt,
        int effect,
        RenderedTemplate input,
        @Nullable JsonNode provided) {
    public Assignment(Claim claim, int attempt, RenderedTemplate input) {
        this(claim, attempt, StepRow.FIRST_EFFECT, input, null);
    }
}
