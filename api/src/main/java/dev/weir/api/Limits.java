package dev.weir.api;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Requests and responses about the limits on runs of a workflow. */
public final class Limits {
    /** The largest {@code max_cascade_depth}. */
    public static final int CASCADE_DEPTH_MAX = 100;

    private Limits() {}

    /**
     * The limits on runs of a workflow: as defined, as an operator set them, and as they are in force.
     *
     * @param version the number of changes by operators; 0 if there was none
     * @param changedAt the time of the last change; absent if there was none
     * @param waiting the number of runs that these limits hold now
     * @param warning something about a change that the operator may not expect; absent if there is nothing
     */
    public record RunLimitsView(
            String workflow,
            long version,
            @Nullable Instant changedAt,
            @Nullable String reason,
            LimitValue maxConcurrentRuns,
            LimitValue runsPerMinute,
            LimitValue maxConcurrentRunsPerKey,
            LimitValue maxCascadeDepth,
            int waiting,
            @Nullable String warning) {}

    /**
     * One limit.
     *
     * @param effective the value in force: the operator's, or else that of the newest definition; absent = unlimited
     * @param defined the value of the newest definition; absent = unlimited
     * @param set the operator's value in force; absent if there is none
     * @param until the end of the operator's value, if it is temporary
     * @param lasting the operator's value that applies again at that end; absent if there is none
     * @param used the present usage; absent if it is not counted
     */
    public record LimitValue(
            @Nullable Integer effective,
            @Nullable Integer defined,
            @Nullable Integer set,
            @Nullable Instant until,
            @Nullable Integer lasting,
            @Nullable Long used) {}

    /**
     * A change of the values that an operator sets for all versions of a workflow. An absent field keeps its value,
     * and null clears it.
     *
     * @param forTime the time for which the new values apply, before the lasting ones apply again; absent = the new
     *     values are lasting
     */
    public record RunLimitsRequest(
            @Nullable JsonNode maxConcurrentRuns,
            @Nullable JsonNode runsPerMinute,
            @Nullable JsonNode maxConcurrentRunsPerKey,
            @Nullable JsonNode maxCascadeDepth,

            @com.fasterxml.jackson.annotation.JsonProperty("for") @Nullable
            String forTime,

            @Nullable String reason) {
        private static final String HINT = "pause runs, or keys, to stop them";

        public RunLimitsRequest {
            InvalidValue.countOrNull("max_concurrent_runs", maxConcurrentRuns, HINT);
            InvalidValue.countOrNull("runs_per_minute", runsPerMinute, HINT);
            InvalidValue.countOrNull("max_concurrent_runs_per_key", maxConcurrentRunsPerKey, HINT);
            InvalidValue.countOrNull("max_cascade_depth", maxCascadeDepth, "at most " + CASCADE_DEPTH_MAX);
            if (maxCascadeDepth != null && maxCascadeDepth.intValue(0) > CASCADE_DEPTH_MAX) {
                throw new InvalidValue(
                        "max_cascade_depth", "at most " + CASCADE_DEPTH_MAX, String.valueOf(maxCascadeDepth));
            }
            List<@Nullable JsonNode> values = Arrays.<@Nullable JsonNode>asList(
                    maxConcurrentRuns, runsPerMinute, maxConcurrentRunsPerKey, maxCascadeDepth);
            if (values.stream().allMatch(Objects::isNull)) {
                throw new InvalidValue(
                        "max_concurrent_runs",
                        "max_concurrent_runs, runs_per_minute, max_concurrent_runs_per_key or max_cascade_depth",
                        "none of them");
            }
            if (forTime != null && values.stream().allMatch(value -> value == null || value.isNull())) {
                throw new InvalidValue("for", "a value that applies for this time", "none");
            }
            Runs.checkText("reason", reason);
        }
    }
}
