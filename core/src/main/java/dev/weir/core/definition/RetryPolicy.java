package dev.weir.core.definition;

import java.time.Duration;

/**
 * The retries after a failed attempt.
 *
 * @param maxAttempts the number of attempts, including the first
 * @param delay the pause before the first retry
 * @param backoff the growth of the pause
 * @param maxDelay the longest pause
 * @param jitter the fraction by which a pause is randomly lengthened or shortened, 0 to 1
 * @param maxRescheduled the number of times that workers may reschedule the step; counted apart from attempts
 */
public record RetryPolicy(
        int maxAttempts, Duration delay, Backoff backoff, Duration maxDelay, double jitter, int maxRescheduled) {
    public static final RetryPolicy DEFAULT =
            new RetryPolicy(4, Duration.ofSeconds(1), Backoff.EXPONENTIAL, Duration.ofMinutes(1), 0.25, 100);

    public RetryPolicy {
        FieldChecks.checkRange("max_attempts", maxAttempts, 1, DefinitionBounds.ATTEMPTS_MAX);
        FieldChecks.checkPositive("delay", delay);
        FieldChecks.checkPositive("max_delay", maxDelay);
        FieldChecks.checkRange("max_rescheduled", maxRescheduled, 0, DefinitionBounds.COUNT_MAX);
        if (!(jitter >= 0 && jitter <= 1)) {
            throw new InvalidDefinition("jitter", "a number from 0 to 1", String.valueOf(jitter));
        }
        if (maxDelay.compareTo(delay) < 0) {
            String expected = "at least the delay of " + DurationText.format(delay);
            throw new InvalidDefinition("max_delay", expected, DurationText.format(maxDelay));
        }
    }

    /** Returns the pause before the given retry (the first is 1), without jitter. */
    public Duration pauseBefore(int retry) {
        if (backoff == Backoff.FIXED) {
            return delay;
        }
        // Beyond 2^40, every delay of at least a millisecond exceeds the longest allowed duration.
        Duration grown = delay.multipliedBy(1L << Math.min(retry - 1, 40));
        return grown.compareTo(maxDelay) < 0 ? grown : maxDelay;
    }

    /** The growth of the pause between attempts. */
    public enum Backoff {
        /** The pause stays the same. */
        FIXED,
        /** The pause doubles each time, up to the longest pause. */
        EXPONENTIAL
    }
}
