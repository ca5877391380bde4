package dev.weir.core.admission;

import dev.weir.core.limit.LimitId;
import org.jspecify.annotations.Nullable;

/**
 * Which limit refuses, and why.
 *
 * @param limit absent where it is no limit, as with a missing worker
 */
public record Refusal(@Nullable LimitId limit, Cause cause) {
    /** Nothing refuses, and nobody asks. */
    public static final Refusal NO_WORKER = new Refusal(null, Cause.NO_WORKER);
}
