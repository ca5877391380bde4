package dev.weir.core.admission;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Pin;
import dev.weir.core.limit.Rate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A shared limit as it is now.
 *
 * @param waiting tickets that wait and need it
 * @param used how much of its capacity is held
 * @param parallelism the capacity: the pin's, or the largest that a ticket in the waitlist or a holder has; null if none
 * @param rate the rate: the pin's, or the largest in use; null if none
 * @param rateUsed how much of that rate is used up now
 * @param windowStart when the window that counts now began
 * @param holders who holds it, oldest grant first
 */
public record LimitView(
        LimitId.Shared limit,
        int waiting,
        int used,
        @Nullable Integer parallelism,
        @Nullable Rate rate,
        long rateUsed,
        long windowStart,
        boolean paused,
        @Nullable Pin pin,
        List<Subject> holders) {}
