package dev.weir.core.admission;

/**
 * The usage of a shared limit now.
 *
 * @param max the capacity, or the count of the rate; 0 if there is none
 * @param highAt the time of the last start that left the usage high; {@code Long.MIN_VALUE} if none is known
 * @param oldestSince the time since which the next of the refused tickets waits; never if none waits
 */
public record UsageReading(long used, long max, long highAt, long oldestSince) {}
