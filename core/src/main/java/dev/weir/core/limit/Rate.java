package dev.weir.core.limit;

/**
 * A limit on the starts in a period.
 *
 * @param count maximum starts, in units of cost
 * @param period length of the window in microseconds
 */
public record Rate(int count, long period, Window window) {
    /** Maximum period, in microseconds: seven days. */
    public static final long PERIOD_MAX = 7L * 24 * 60 * 60 * 1_000_000;

    public Rate {
        if (count < 1) {
            throw new IllegalArgumentException("a rate needs a count of at least 1, found " + count);
        }
        if (period < 1 || period > PERIOD_MAX) {
            throw new IllegalArgumentException("a rate needs a period from 1 µs to 7 days, found " + period + " µs");
        }
    }

    public static Rate sliding(int count, long period) {
        return new Rate(count, period, Window.SLIDING);
    }

    public static Rate fixed(int count, long period) {
        return new Rate(count, period, Window.FIXED);
    }
}
