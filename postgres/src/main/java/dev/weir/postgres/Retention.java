package dev.weir.postgres;

import dev.weir.core.definition.DurationText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The time for which the history of runs is kept. History is removed in whole weeks, so an ended run may stay for up to
 * a week longer.
 *
 * @param age the time since a run ended; null if the history is kept forever
 */
public record Retention(@Nullable Duration age) {
    /** The shortest age: requests that are repeated within minutes must be recognised. */
    public static final Duration AGE_MIN = Duration.ofHours(1);

    /** The longest age. */
    public static final Duration AGE_MAX = Duration.ofDays(36_500);

    /** The retention that never removes anything. */
    public static final Retention UNLIMITED = new Retention(null);

    public Retention {
        if (age != null && (age.compareTo(AGE_MIN) < 0 || age.compareTo(AGE_MAX) > 0)) {
            throw new IllegalArgumentException("age: expected " + DurationText.format(AGE_MIN) + " to "
                    + DurationText.format(AGE_MAX) + ", found " + DurationText.format(age));
        }
    }
}
