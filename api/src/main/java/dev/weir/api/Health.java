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

    /**
     * One invariant.
     *
     * @param looked the number of keys that were checked
     * @param violations the keys that have more in use than they allowed
     * @param unproved the keys that have more in use than they allow now. All of it started before this node loaded the
     *     organisation, and an operator may have lowered the limit since
     */
    public record Invariant(String name, String promise, long looked, List<String> violations, List<String> unproved) {}
}
