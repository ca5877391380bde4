package dev.weir.core.admission;

import dev.weir.core.limit.LimitId;

/**
 * The usage of a limit reached a threshold.
 *
 * @param isRate true if it is the usage of a rate, false if that of a capacity
 * @param isFull true if the limit is used up
 */
public record UsageCrossing(LimitId.Shared limit, boolean isRate, boolean isFull, long used, long max) {}
