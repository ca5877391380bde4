package dev.weir.engine.work;

import dev.weir.core.state.UnitId;
import dev.weir.engine.log.AttemptLog;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The right to work on a step or item until its lease is over.
 *
 * @param fence number greater than that of every earlier claim of the same step; check it where the work has its
 *     effects
 * @param attempt number of the attempt, from 1
 * @param effectNumber the same number as in the previous claim while the outcome of that attempt is unknown, otherwise
 *     a greater one; together with run, step and item it identifies one effect, for resources that must not apply it
 *     twice
 * @param input input of the step, with its secrets
 * @param provided input that a person gave after the step asked for it
 * @param log log of the attempt, for people
 */
public record WorkClaim(
        UnitId unit,
        long fence,
        String module,
        int attempt,
        int effectNumber,
        Duration lease,
        JsonNode input,
        @Nullable JsonNode provided,
        AttemptLog log) {
    /**
     * Adds a line to the log of this attempt. The last 64 KiB of the log can be read while the attempt runs, and are
     * kept with it.
     */
    public void log(String line) {
        log.append(line);
    }
}
