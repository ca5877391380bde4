package dev.weir.core.run;

/**
 * The progress of a fan-out.
 *
 * @param made the number of items that exist
 * @param making true if more items are still to be created
 */
public record ItemProgress(int total, int made, boolean making, int inFlight, int ended, int failed) {}
