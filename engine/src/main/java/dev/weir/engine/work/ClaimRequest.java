package dev.weir.engine.work;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A request for work.
 *
 * @param run the only run whose steps are wanted; absent = any. A request for one run never waits
 * @param limit largest number of claims
 * @param modules modules that the worker serves
 * @param steps the only steps of that run that are wanted; empty = any
 * @param waitFor longest time to wait for work, at most 20 s
 * @param lease time for which a claim lasts without a heartbeat
 */
public record ClaimRequest(
        @Nullable String run,
        int limit,
        List<ModuleInfo> modules,
        Set<String> steps,
        Duration waitFor,
        Duration lease) {
    /** The default lease of a claim. */
    public static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

    public ClaimRequest {
        modules = List.copyOf(modules);
        steps = Set.copyOf(steps);
        if (run == null && !steps.isEmpty()) {
            throw new IllegalArgumentException(
                    "steps can be chosen only within a run: expected the id of a run, found none");
        }
    }

    /** Returns a request for any work of a module. */
    public static ClaimRequest of(ModuleInfo module, int limit) {
        return new ClaimRequest(null, limit, List.of(module), Set.of(), Duration.ofSeconds(20), DEFAULT_LEASE);
    }

    /** Returns a request for all steps of a run that may start now. */
    public static ClaimRequest ofRun(String run, int limit) {
        return new ClaimRequest(run, limit, List.of(), Set.of(), Duration.ZERO, DEFAULT_LEASE);
    }
}
