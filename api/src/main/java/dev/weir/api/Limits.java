package dev.weir.api;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Requests and responses about the limits on runs of an organisation, a workflow or a run key. */
public final class Limits {
    /** The largest {@code max_cascade_depth}. */
    public static final int CASCADE_DEPTH_MAX = 100;

    private Limits() {}

    /**
     * The limits on runs of an organisation, a workflow or a run key: as defined, as an operator set them, and as they
     * are in force.
     *
     * @param workflow absent for the limits of the organisation
     * @param runKey the run key; absent for all runs of the workflow
     * @param version the number of changes by operators; 0 if there was none
     * @param changedAt the time of the last change; absent if there was none
     * @param changedBy the actor of the last change, if known
     * @param maxConcurrentRunsPerKey only for a workflow
     * @param maxCascadeDepth absent for a run key
     * @param maxQueuedRuns the number of waiting runs at which further starts are refused with 429
     * @param defaultDebounce absent for a run key
     * @param noticeOldestWaiter the waiting time at which a notice is issued; only for the organisation
     * @param noticeDeadLetters the open dead letters at which a notice is issued; only for the organisation
     * @param waiting the number of runs that these limits hold now
     * @param quota the quota of the organisation, which nothing enforces; only for the organisation
     * @param warning something about a change that the operator may not expect; absent if there is nothing
     */
    public record RunLimitsView(
            @Nullable String workflow,
            @Nullable String runKey,
            long version,
            @Nullable Instant changedAt,
            @Nullable String changedBy,
            @Nullable String reason,
            LimitValue maxConcurrentRuns,
            LimitValue runsPerMinute,
            @Nullable LimitValue maxConcurrentRunsPerKey,
            @Nullable LimitValue maxCascadeDepth,
            LimitValue maxQueuedRuns,
            @Nullable DurationValue defaultDebounce,
            @Nullable DurationValue noticeOldestWaiter,
            @Nullable LimitValue noticeDeadLetters,
            int waiting,
            Organisations.@Nullable Quota quota,
            @Nullable String warning) {}

    /** A page of limits. */
    public record RunLimitsPage(
            List<RunLimitsView> limits, @Nullable String next) {}

    /**
     * A duration that operators set.
     *
     * @param effective the value in force; absent if there is none
     * @param until the end of the value, if it is temporary
     * @param lasting the value that applies again at that end; absent if there is none
     */
    public record DurationValue(
            @Nullable String effective,
            @Nullable Instant until,
            @Nullable String lasting) {}

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
     * A change of the values that an operator sets. An absent field keeps its value, and null clears it.
     *
     * @param maxConcurrentRunsPerKey only for a workflow
     * @param maxCascadeDepth not for a run key
     * @param defaultDebounce a duration; not for a run key
     * @param noticeOldestWaiter a duration; only for the organisation
     * @param noticeDeadLetters only for the organisation
     * @param forTime the time for which the new values apply, before the lasting ones apply again; absent = the new
     *     values are lasting
     */
    public record RunLimitsRequest(
            @Nullable JsonNode maxConcurrentRuns,
            @Nullable JsonNode runsPerMinute,
            @Nullable JsonNode maxConcurrentRunsPerKey,
            @Nullable JsonNode maxCascadeDepth,
            @Nullable JsonNode maxQueuedRuns,
            @Nullable JsonNode defaultDebounce,
            @Nullable JsonNode noticeOldestWaiter,
            @Nullable JsonNode noticeDeadLetters,

            @com.fasterxml.jackson.annotation.JsonProperty("for") @Nullable
            String forTime,

            @Nullable String reason) {
        private static final String HINT = "pause runs, or keys, to stop them";

        public RunLimitsRequest {
            InvalidValue.countOrNull("max_concurrent_runs", maxConcurrentRuns, HINT);
            InvalidValue.countOrNull("runs_per_minute", runsPerMinute, HINT);
            InvalidValue.countOrNull("max_concurrent_runs_per_key", maxConcurrentRunsPerKey, HINT);
            InvalidValue.countOrNull("max_cascade_depth", maxCascadeDepth, "at most " + CASCADE_DEPTH_MAX);
            InvalidValue.countOrNull("max_queued_runs", maxQueuedRuns, "or leave it out for no ceiling");
            InvalidValue.countOrNull("notice_dead_letters", noticeDeadLetters, "or null for the threshold of the node");
            if (maxCascadeDepth != null && maxCascadeDepth.intValue(0) > CASCADE_DEPTH_MAX) {
                throw new InvalidValue(
                        "max_cascade_depth", "at most " + CASCADE_DEPTH_MAX, String.valueOf(maxCascadeDepth));
            }
            checkDuration("default_debounce", defaultDebounce);
            checkDuration("notice_oldest_waiter", noticeOldestWaiter);
            Runs.checkText("reason", reason);
        }

        private static void checkDuration(String field, @Nullable JsonNode value) {
            if (value != null && !value.isNull() && !value.isString()) {
                throw new InvalidValue(
                        field,
                        "a duration with a unit, such as 5s, or null to clear it",
                        InvalidValue.quoted(value.toString()));
            }
        }

        /** Refuses a change that has no value. The route calls this, so that an unknown field is refused first. */
        public void requireValues() {
            List<@Nullable JsonNode> values = Arrays.<@Nullable JsonNode>asList(
                    maxConcurrentRuns,
                    runsPerMinute,
                    maxConcurrentRunsPerKey,
                    maxCascadeDepth,
                    maxQueuedRuns,
                    defaultDebounce,
                    noticeOldestWaiter,
                    noticeDeadLetters);
            if (values.stream().allMatch(Objects::isNull)) {
                throw new InvalidValue(
                        "max_concurrent_runs",
                        "max_concurrent_runs, runs_per_minute, max_concurrent_runs_per_key, max_cascade_depth,"
                                + " max_queued_runs, default_debounce, notice_oldest_waiter or notice_dead_letters",
                        "none of them");
            }
            if (forTime != null && values.stream().allMatch(value -> value == null || value.isNull())) {
                throw new InvalidValue("for", "a value that applies for this time", "none");
            }
        }
    }
}
