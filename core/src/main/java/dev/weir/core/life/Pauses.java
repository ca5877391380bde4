package dev.weir.core.life;

import dev.weir.core.definition.Retry;
import dev.weir.core.limit.Moment;

/** How long a step waits before its next try. */
final class Pauses {
    private Pauses() {}

    /** The pause after the tries so far. It is spread by what is being tried, so that it is the same wherever it is decided. */
    static long before(Unit unit, Retry retry) {
        long pause = Moment.micros(retry.pauseBefore(Math.max(1, unit.attempts)));
        double spread = 1 + retry.jitter() * (2 * draw(unit) - 1);
        return Math.max(1, Math.round(pause * spread));
    }

    /** A number from 0 to 1, evenly spread over runs, steps, items and tries. */
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
