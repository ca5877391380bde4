package dev.weir.engine.work;

import dev.weir.core.life.UnitId;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The right to work on a step or item until its lease is over.
 *
 * @param fence greater than that of every earlier claim of the same step; to be checked where the work has its effects
 * @param attempt which try it is, from 1
 * @param input what the step was given, with its secrets in it
 * @param provided what a person has given since, because the step needed it
 */
public record WorkClaim(
        UnitId unit,
        long fence,
        String module,
        int attempt,
        Duration lease,
        JsonNode input,
        @Nullable JsonNode provided) {}
