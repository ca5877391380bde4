package dev.weir.core.admission;

import dev.weir.core.limit.Moment;
import dev.weir.core.limit.Pin;
import dev.weir.core.limit.Rate;
import dev.weir.core.limit.RateUsage;
import org.jspecify.annotations.Nullable;

/**
 * An operator's pin on a limit and its values that are in force now.
 *
 * @param pin the pin; null if the limit is not pinned
 * @param parallelism the pinned parallelism; 0 if the pin does not set it now
 * @param rate the pinned rate; null if the pin does not set it now
 * @param usage the usage of the pinned rate
 */
record PinnedValues(
        @Nullable Pin pin,
        int parallelism,
        @Nullable Rate rate,
        @Nullable RateUsage usage) {
    /** The values of a limit that is not pinned. */
    static final PinnedValues NONE = new PinnedValues(null, 0, null, null);

    /** The time when the pin's values change by themselves. */
    long nextChange(long now) {
        return pin == null ? Moment.NEVER : pin.nextChange(now);
    }
}
