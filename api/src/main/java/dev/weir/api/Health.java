package dev.weir.api;

import java.util.List;

/**
 * The health of a node.
 *
 * @param status ok, degraded or unavailable
 * @param findings the problems, with advice
 */
public record Health(String status, List<String> findings) {
    /** The result of checking the invariants of everything that runs now. */
    public record Invariants(boolean hold, List<Invariant> invariants) {}

    /** One invariant: the number of things that were checked, and the violations. */
    public record Invariant(String name, String promise, long looked, List<String> violations) {}
}
