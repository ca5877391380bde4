package dev.weir.core.admission;

import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Pin;
import dev.weir.core.limit.Rate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The current state of a shared limit.
 *
 * @param waiting number of tickets that ask for it and that it refuses now; a ticket that waits only for a worker
 *     does not count
 * @param totalWaiting number of all waiting tickets that need it, whatever holds them
 * @param oldestSince the time since which the next of the refused tickets waits, by priority and age; {@link
 *     dev.weir.core.limit.Moment#NEVER} if none waits
 * @param used capacity in use
 * @param parallelism the capacity: the pin's, or the largest that a ticket in the waitlist or an allocation has;
 *     null if none
 * @param rate the rate: the pin's, or the largest in use; null if none
 * @param rateUsed usage of that rate now
 * @param windowStart start of the current window
 * @param holders the owners of its allocations, oldest grant first
 */
public record LimitSnapshot(
        LimitId.Shared limit,
        int waiting,
        int totalWaiting,
        long oldestSince,
        int used,
        @Nullable Integer parallelism,
        @Nullable Rate rate,
        long rateUsed,
        long windowStart,
        boolean paused,
        @Nullable Pin pin,
        List<Subject> holders) {}
