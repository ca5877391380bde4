package dev.weir.core.life;

import dev.weir.core.definition.RetryPolicy;
import dev.weir.core.limit.Moment;

/** Computes the delay before a step's next attempt. */
final class RetryDelay {
    private RetryDelay() {}

    /**
     * Returns the delay after the attempts so far. The jitter depends on the unit alone, so that every node computes
     * the same.
     */
    static long before(Unit unit, RetryPolicy retry) {
        long pause = Moment.micros(retry.pauseBefore(Math.max(1, unit.attempts)));
        double spread = 1 + retry.jitter() * (2 * draw(unit) - 1);
        return Math.max(1, Math.round(pause * spread));
    }

    /** Returns a time from 0 to {@code most}, evenly spread over runs, and always the same for the same run. */
    static long spread(String run, long most) {
        return Math.floorMod(mix(run.hashCode()), most + 1);
    }

    /** Returns a number from 0 to 1, evenly spread over runs, steps, items and attempts. */
    private static double draw(Unit unit) {
        long seed = unit.run().id().hashCode();
        seed = mix(seed * 31 + unit.step().planned.id().hashCode());
        seed = mix(seed * 31 + unit.item());
        seed = mix(seed * 31 + unit.fence);
        return (seed >>> 11) * 0x1.0p-53;
    }

    private static long mix(long value) {
        long mixed = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        return mixed ^ (mixed >>> 31);
    }
}
