package dev.weir.engine.work;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What somebody who asked for work is given.
 *
 * @param state the run as it is now, if work of one run was asked for and it lives
 */
public record ClaimResult(List<WorkClaim> claims, @Nullable EngineState state) {
    public ClaimResult {
        claims = List.copyOf(claims);
    }
}
