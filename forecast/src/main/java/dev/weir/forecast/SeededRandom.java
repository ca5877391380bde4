package dev.weir.forecast;

import dev.weir.core.state.UnitId;

/**
 * Random numbers for a seed. Each depends only on the purpose for which it is drawn, so that two forecasts that differ
 * only in their limits give the same attempts the same durations.
 */
record SeededRandom(long seed) {
    /** The purpose of a number that is drawn for one attempt. */
    enum Purpose {
        TIME(1),
        FAILURE(2);

        private final int salt;

        Purpose(int salt) {
            this.salt = salt;
        }
    }

    /** Returns a number from 0 (inclusive) to 1 (exclusive). */
    double draw(UnitId unit, long fence, Purpose purpose) {
        long mixed = mix(seed * 31 + unit.run().hashCode());
        mixed = mix(mixed * 31 + unit.step().hashCode());
        mixed = mix(mixed * 31 + unit.item());
        mixed = mix(mixed * 31 + fence);
        mixed = mix(mixed * 31 + purpose.salt);
        return (mixed >>> 11) * 0x1.0p-53;
    }

    private static long mix(long value) {
        long mixed = value + 0x9e3779b97f4a7c15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        return mixed ^ (mixed >>> 31);
    }
}
