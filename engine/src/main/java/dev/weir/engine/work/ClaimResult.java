package dev.weir.engine.work;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a request for work.
 *
 * @param state current state of the run, if the request was for one run and it has not ended
 */
public record ClaimResult(List<WorkClaim> claims, @Nullable EngineState state) {
    public ClaimResult {
        claims = List.copyOf(claims);
    }
}
