package dev.weir.core.life;

import dev.weir.core.expression.Rendered;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a worker is given.
 *
 * @param attempt which try it is, from 1
 * @param input what the step was given, with its secrets still names
 * @param provided what a person has given since, because the step needed it
 */
public record Assignment(
        Claim claim, int attempt, Rendered input, @Nullable JsonNode provided) {
    public Assignment(Claim claim, int attempt, Rendered input) {
        this(claim, attempt, input, null);
    }
}
