package dev.weir.core.limit;

import java.time.Duration;
import java.time.Instant;

/**
 * Points in time as microseconds since 1970. This is PostgreSQL's precision, so a time that is read back from a row
 * equals the time of the decision.
 */
public final class Moment {
    /** A time later than every time that occurs. */
    public static final long NEVER = Long.MAX_VALUE;

    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final long NANOS_PER_MICRO = 1_000;

    private Moment() {}

    public static long of(Instant instant) {
        return Math.addExact(
                Math.multiplyExact(instant.getEpochSecond(), MICROS_PER_SECOND), instant.getNano() / NANOS_PER_MICRO);
    }

    public static Instant toInstant(long micros) {
        return Instant.ofEpochSecond(
                Math.floorDiv(micros, MICROS_PER_SECOND), Math.floorMod(micros, MICROS_PER_SECOND) * NANOS_PER_MICRO);
    }

    /** Returns the length of a duration in microseconds, rounded up, so that a wait is never shorter than requested. */
    public static long micros(Duration duration) {
        long nanos = duration.getNano() + NANOS_PER_MICRO - 1;
        return Math.addExact(Math.multiplyExact(duration.getSeconds(), MICROS_PER_SECOND), nanos / NANOS_PER_MICRO);
    }

    /** Returns {@code at + length}, or {@link #NEVER} if that would overflow. */
    public static long plus(long at, long length) {
        long sum = at + length;
        return ((at ^ sum) & (length ^ sum)) < 0 ? NEVER : sum;
    }
}
