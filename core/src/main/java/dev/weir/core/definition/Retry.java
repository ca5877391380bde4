package dev.weir.core.definition;

import java.time.Duration;

/**
 * What happens after a try that failed.
 *
 * @param maxAttempts tries in all, the first included
 * @param delay the pause before the first retry
 * @param backoff how the pause grows
 * @param maxDelay the longest pause
 * @param jitter the part by which a pause is made longer or shorter at random, 0 to 1
 * @param maxRescheduled how often a worker may put the step off; counted apart from tries
 */
public record Retry(
        int maxAttempts, Duration delay, Backoff backoff, Duration maxDelay, double jitter, int maxRescheduled) {
    public static final Retry DEFAULT =
            new Retry(4, Duration.ofSeconds(1), Backoff.EXPONENTIAL, Duration.ofMinutes(1), 0.25, 100);

    public Retry {
        Require.between("max_attempts", maxAttempts, 1, Bounds.ATTEMPTS_MAX);
        Require.positive("delay", delay);
        Require.positive("max_delay", maxDelay);
        Require.between("max_rescheduled", maxRescheduled, 0, Bounds.COUNT_MAX);
        if (!(jitter >= 0 && jitter <= 1)) {
            throw new InvalidDefinition("jitter", "a number from 0 to 1", String.valueOf(jitter));
        }
        if (maxDelay.compareTo(delay) < 0) {
            String expected = "at least the delay of " + Durations.text(delay);
            throw new InvalidDefinition("max_delay", expected, Durations.text(maxDelay));
        }
    }

    /** The pause before the given retry (the first is 1), without jitter. */
    public Duration pauseBefore(int retry) {
        if (backoff == Backoff.FIXED) {
            return delay;
        }
        // Beyond 2^40 every delay of at least a millisecond is over the greatest duration that is allowed.
        Duration grown = delay.multipliedBy(1L << Math.min(retry - 1, 40));
        return grown.compareTo(maxDelay) < 0 ? grown : maxDelay;
    }

    /** How the pause between tries grows. */
    public enum Backoff {
        /** Always the same. */
        FIXED,
        /** Twice as long each time, up to the longest. */
        EXPONENTIAL
    }
}
