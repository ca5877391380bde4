package dev.weir.engine.work;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Asks for work.
 *
 * @param run the only run whose steps are wanted; absent = any. Work of one run is never waited for
 * @param limit how many claims at the most
 * @param modules what the worker serves
 * @param steps the only steps of that run that are wanted; none = any
 * @param waitFor how long to wait for work, at most 20 s
 * @param lease how long a claim lasts without a heartbeat
 */
public record ClaimRequest(
        @Nullable String run,
        int limit,
        List<ModuleInfo> modules,
        Set<String> steps,
        Duration waitFor,
        Duration lease) {
    /** How long a claim lasts where nobody says. */
    public static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

    public ClaimRequest {
        modules = List.copyOf(modules);
        steps = Set.copyOf(steps);
        if (run == null && !steps.isEmpty()) {
            throw new IllegalArgumentException("steps are chosen within a run, expected its id, found none");
        }
    }

    /** Any work of a module. */
    public static ClaimRequest of(ModuleInfo module, int limit) {
        return new ClaimRequest(null, limit, List.of(module), Set.of(), Duration.ofSeconds(20), DEFAULT_LEASE);
    }

    /** Whatever of a run may start now. */
    public static ClaimRequest ofRun(String run, int limit) {
        return new ClaimRequest(run, limit, List.of(), Set.of(), Duration.ZERO, DEFAULT_LEASE);
    }
}
