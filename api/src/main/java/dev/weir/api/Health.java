package dev.weir.api;

import java.util.List;

/**
 * How a node is.
 *
 * @param status ok, degraded or unavailable
 * @param findings what is wrong, and what to do
 */
public record Health(String status, List<String> findings) {
    /** What has to be true of what runs now. */
    public record Invariants(boolean hold, List<Invariant> invariants) {}

    /** One of them, how much was looked at, and where it does not hold. */
    public record Invariant(String name, String promise, long looked, List<String> violations) {}
}
