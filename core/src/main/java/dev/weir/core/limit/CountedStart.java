package dev.weir.core.limit;

/**
 * The starts of one instant, as a rate counts them.
 *
 * @param at their time, in microseconds
 * @param cost the sum of their costs
 */
public record CountedStart(long at, long cost) {}
