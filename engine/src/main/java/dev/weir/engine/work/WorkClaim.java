package dev.weir.engine.work;

import dev.weir.core.life.UnitId;
import dev.weir.engine.log.StepLog;
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
 * @param log what the try says, for people who look at it
 */
public record WorkClaim(
        UnitId unit,
        long fence,
        String module,
        int attempt,
        Duration lease,
        JsonNode input,
        @Nullable JsonNode provided,
        StepLog log) {
    /** Says a line about this try; the last 64 KiB of what it says can be read while it runs, and are kept with it. */
    public void log(String line) {
        log.say(line);
    }
}
