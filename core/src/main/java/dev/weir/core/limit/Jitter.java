package dev.weir.core.limit;

/** Deterministic jitter. It depends on ids alone, so that every node computes the same. */
public final class Jitter {
    private Jitter() {}

    /** Returns a time from 0 to {@code max}, evenly spread over ids, and always the same for the same id. */
    public static long spread(String id, long max) {
        return Math.floorMod(mix(id.hashCode()), max + 1);
    }

    /** Returns a number from 0 to 1, evenly spread over the seeds, and always the same for the same seeds. */
    public static double fraction(long first, long... others) {
        long seed = first;
        for (long other : others) {
            seed = mix(seed * 31 + other);
        }
        return (seed >>> 11) * 0x1.0p-53;
    }

    private static long mix(long value) {
        long mixed = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        return mixed ^ (mixed >>> 31);
    }
}
