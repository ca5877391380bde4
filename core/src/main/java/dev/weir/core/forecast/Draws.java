package dev.weir.core.forecast;

import dev.weir.core.life.UnitId;

/**
 * Numbers drawn for a seed. Each depends on what it is drawn for and on nothing else, so that two forecasts that differ
 * in their limits only give the same bodies the same times.
 */
record Draws(long seed) {
    /** What is drawn for one try. */
    enum What {
        TIME(1),
        FAILURE(2);

        private final int salt;

        What(int salt) {
            this.salt = salt;
        }
    }

    /** A number from 0 (included) to 1 (excluded). */
    double draw(UnitId unit, long fence, What what) {
        long mixed = mix(seed * 31 + unit.run().hashCode());
        mixed = mix(mixed * 31 + unit.step().hashCode());
        mixed = mix(mixed * 31 + unit.item());
        mixed = mix(mixed * 31 + fence);
        mixed = mix(mixed * 31 + what.salt);
        return (mixed >>> 11) * 0x1.0p-53;
    }

    private static long mix(long value) {
        long mixed = value + 0x9e3779b97f4a7c15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        return mixed ^ (mixed >>> 31);
    }
}
