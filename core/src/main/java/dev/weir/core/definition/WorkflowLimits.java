package dev.weir.core.definition;

import dev.weir.core.expression.Scope;
import dev.weir.core.expression.Template;
import org.jspecify.annotations.Nullable;

/**
 * How many runs of a workflow may go on or start, taken by a run at its start.
 *
 * @param maxConcurrentRuns runs in flight; absent = unlimited
 * @param runsPerMinute starts in any minute; absent = unlimited
 * @param perKey the same for the runs that share a key; absent = no such limit
 * @param maxCascadeDepth how long a chain of parent runs and emitted events may be
 */
public record WorkflowLimits(
        @Nullable Integer maxConcurrentRuns,
        @Nullable Integer runsPerMinute,
        @Nullable PerKey perKey,
        int maxCascadeDepth) {
    public static final int DEFAULT_CASCADE_DEPTH = 10;
    public static final WorkflowLimits NONE = new WorkflowLimits(null, null, null, DEFAULT_CASCADE_DEPTH);

    public WorkflowLimits {
        Require.positive("max_concurrent_runs", maxConcurrentRuns);
        Require.positive("runs_per_minute", runsPerMinute);
        Require.between("max_cascade_depth", maxCascadeDepth, 1, Bounds.CASCADE_DEPTH_MAX);
    }

    /**
     * Limits of the runs that render the same key.
     *
     * @param runKey the key, rendered when a run is accepted
     * @param maxConcurrentRuns runs of that key in flight; absent = unlimited
     * @param runsPerMinute starts of that key in any minute; absent = unlimited
     */
    public record PerKey(
            Template runKey,
            @Nullable Integer maxConcurrentRuns,
            @Nullable Integer runsPerMinute) {
        public PerKey {
            Require.key("run_key", runKey);
            Require.positive("max_concurrent_runs_per_key", maxConcurrentRuns);
            Require.positive("runs_per_minute_per_key", runsPerMinute);
            if (maxConcurrentRuns == null && runsPerMinute == null) {
                String expected = "max_concurrent_runs_per_key or runs_per_minute_per_key beside it";
                throw new InvalidDefinition("run_key", expected, "neither");
            }
        }

        /** The key of one run. */
        public String keyIn(Scope scope) {
            return Require.renderedKey(runKey, scope);
        }
    }
}
