package dev.weir.core.definition;

import dev.weir.core.expression.Scope;
import dev.weir.core.expression.Template;
import org.jspecify.annotations.Nullable;

/**
 * The limits on the number of runs of a workflow. A run takes them when it starts.
 *
 * @param maxConcurrentRuns the runs in flight; absent = unlimited
 * @param runsPerMinute the starts in any minute; absent = unlimited
 * @param perKey the limits for runs that share a key; absent = none
 * @param maxCascadeDepth the longest chain of parent runs and emitted events; absent = the default
 */
public record WorkflowLimits(
        @Nullable Integer maxConcurrentRuns,
        @Nullable Integer runsPerMinute,
        @Nullable PerKey perKey,
        @Nullable Integer maxCascadeDepth) {
    public static final int DEFAULT_CASCADE_DEPTH = 10;
    public static final WorkflowLimits NONE = new WorkflowLimits(null, null, null, null);

    public WorkflowLimits {
        FieldChecks.checkPositive("max_concurrent_runs", maxConcurrentRuns);
        FieldChecks.checkPositive("runs_per_minute", runsPerMinute);
        if (maxCascadeDepth != null) {
            FieldChecks.checkRange("max_cascade_depth", maxCascadeDepth, 1, DefinitionBounds.CASCADE_DEPTH_MAX);
        }
    }

    /**
     * The limits of the runs that render the same key.
     *
     * @param runKey the key, rendered when a run is accepted
     * @param maxConcurrentRuns the runs of that key in flight; absent = unlimited
     * @param runsPerMinute the starts of that key in any minute; absent = unlimited
     */
    public record PerKey(
            Template runKey,
            @Nullable Integer maxConcurrentRuns,
            @Nullable Integer runsPerMinute) {
        public PerKey {
            FieldChecks.checkKey("run_key", runKey);
            FieldChecks.checkPositive("max_concurrent_runs_per_key", maxConcurrentRuns);
            FieldChecks.checkPositive("runs_per_minute_per_key", runsPerMinute);
            if (maxConcurrentRuns == null && runsPerMinute == null) {
                String expected = "max_concurrent_runs_per_key or runs_per_minute_per_key together with it";
                throw new InvalidDefinition("run_key", expected, "neither");
            }
        }

        /** Returns the key of one run. */
        public String renderKey(Scope scope) {
            return FieldChecks.renderKey(runKey, scope);
        }
    }
}
