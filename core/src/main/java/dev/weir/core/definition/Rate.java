package dev.weir.core.definition;

import java.time.Duration;

/**
 * How much may start in a window.
 *
 * @param count the sum of the costs of the starts that a window admits
 * @param period the length of the window
 * @param window how windows lie in time
 */
public record Rate(int count, Duration period, Window window) {
    public static final Duration DEFAULT_PERIOD = Duration.ofSeconds(1);

    public Rate {
        Require.between("rate", count, 1, Bounds.COUNT_MAX);
        Require.between("period", period, Bounds.PERIOD_MIN, Bounds.PERIOD_MAX);
    }

    /** How windows lie in time. */
    public enum Window {
        /** Any window of that length counts: exact. */
        SLIDING,
        /** A window is opened by its first start and counts until its end. */
        FIXED
    }
}
