package dev.weir.core.admission;

import dev.weir.core.limit.LimitId;

/**
 * A flow-control key of which more is in use than it allowed.
 *
 * @param max the value that judged the newest start; if that is unknown, the present one
 * @param isProved false if {@code max} is the present value: an operator may have lowered the limit between the newest
 *     start and the time when the organisation was loaded
 */
public record Overuse(LimitId.Key key, long used, long max, boolean isProved) {
    @Override
    public String toString() {
        return key.name() + ": " + used + " of " + max;
    }
}
