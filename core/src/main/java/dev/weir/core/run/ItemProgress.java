package dev.weir.core.run;

/**
 * The progress of a fan-out.
 *
 * @param created the number of items that exist
 * @param creating true if more items are still to be created
 */
public record ItemProgress(int total, int created, boolean creating, int inFlight, int ended, int failed) {}
