package dev.weir.core.run;

import dev.weir.core.definition.RetryPolicy;
import dev.weir.core.limit.Jitter;
import dev.weir.core.limit.Moment;

/** Computes the delay before a step's next attempt. */
final class RetryDelay {
    private RetryDelay() {}

    /**
     * Returns the delay after the attempts so far. The jitter depends on the unit alone, so that every node computes
     * the same.
     */
    static long compute(Unit unit, RetryPolicy retry) {
        long delay = Moment.micros(retry.pauseBefore(Math.max(1, unit.attempts)));
        double factor = 1 + retry.jitter() * (2 * jitterFraction(unit) - 1);
        return Math.max(1, Math.round(delay * factor));
    }

    /** Returns a number from 0 to 1, evenly spread over runs, steps, items and attempts. */
    private static double jitterFraction(Unit unit) {
        return Jitter.fraction(
                unit.run().id().hashCode(), unit.step().planned.id().hashCode(), unit.item(), unit.fence);
    }
}
