package dev.weir.api;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Requests and responses about an organisation as a whole: evaluation of starts, snapshot, quota, readers. */
public final class Organisations {
    /** The only resource that has a quota: the runs that start. */
    public static final String WORKFLOW_EXECUTIONS = "workflow_executions";

    /** The longest run key or id in a request, in characters. */
    static final int TEXT_CHARS_MAX = 1_024;

    private Organisations() {}

    /**
     * A start to evaluate.
     *
     * @param trigger the trigger that would start the run, which must be one of the workflow
     * @param parent the run before it in its chain, live or ended
     * @param correlationId the correlation id of the chain, such as the run with which it began; counts only without a
     *     parent
     * @param organizationId the organisation, which must be that of the token
     * @param runKey the run key; absent = rendered from the input
     */
    public record EvaluateRequest(
            @JsonAlias("workflow_definition_id") String workflow,

            @JsonAlias("automation_rule_id") @Nullable String trigger,

            @Nullable String parent,
            @Nullable String correlationId,
            @Nullable String organizationId,
            @Nullable String runKey,
            @Nullable JsonNode input) {
        public EvaluateRequest {
            workflow = InvalidValue.text("workflow", workflow, TEXT_CHARS_MAX);
            checkText("trigger", trigger);
            checkText("parent", parent);
            checkText("correlation_id", correlationId);
            checkText("organization_id", organizationId);
            checkText("run_key", runKey);
        }

        private static void checkText(String field, @Nullable String value) {
            if (value != null) {
                InvalidValue.text(field, value, TEXT_CHARS_MAX);
            }
        }
    }

    /**
     * The answer to an evaluation.
     *
     * @param allowed true if the run would start at once
     * @param deferSeconds the time until the next check; absent if the run would start at once, or be refused
     * @param reason what refuses it; absent if nothing does
     * @param why every limit that refuses it; absent if none does
     */
    public record Evaluation(
            boolean allowed,
            @Nullable Double deferSeconds,
            @Nullable String reason,
            @Nullable List<Why.Reason> why) {}

    /**
     * The state of an organisation. It contains numbers only.
     *
     * @param concurrentRuns the runs that count against max_concurrent_runs
     * @param startedInLastMinute the starts that count against runs_per_minute; absent without such a limit
     * @param waiting the runs that count against max_queued_runs
     * @param held the queued runs that a limit of the organisation, of their workflow or of their run key holds
     * @param limits the limits in force; absent = unlimited
     * @param stepsPerSecond the steps that started in a second, over the last ten seconds
     */
    public record Snapshot(
            long concurrentRuns,
            @Nullable Long startedInLastMinute,
            long waiting,
            long held,
            SnapshotLimits limits,
            long started,
            long deferred,
            long debounced,
            long cascadeDetected,
            double stepsPerSecond) {}

    /** The limits of an organisation in force. */
    public record SnapshotLimits(
            @Nullable Integer maxConcurrentRuns,
            @Nullable Integer runsPerMinute,
            @Nullable Integer maxQueuedRuns,
            @Nullable Integer maxCascadeDepth,
            @Nullable String defaultDebounce) {}

    /**
     * A quota. Nothing enforces it.
     *
     * @param limit the quota of a period; null if none is set
     * @param used the runs that started in this period
     * @param remaining the quota that is left, at least 0; null if none is set
     * @param resetAt the beginning of the next period
     */
    public record Quota(
            String resourceType,

            @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable
            Long limit,

            long used,

            @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable
            Long remaining,

            String period,
            String timeZone,
            Instant resetAt) {}

    /**
     * A new quota.
     *
     * @param limit null for none
     * @param period the period, which is a month
     * @param timeZone the time zone in which periods begin; absent = it stays as it is, at first UTC
     */
    public record QuotaRequest(
            @Nullable String resourceType,
            @Nullable Long limit,
            @Nullable String period,
            @Nullable String timeZone,
            @Nullable String reason) {
        public QuotaRequest {
            if (resourceType != null && !resourceType.equals(WORKFLOW_EXECUTIONS)) {
                throw new InvalidValue("resource_type", WORKFLOW_EXECUTIONS, InvalidValue.quoted(resourceType));
            }
            if (limit != null && limit < 0) {
                throw new InvalidValue("limit", "a whole number of at least 0, or null for none", limit.toString());
            }
            if (period != null && !period.equals("month")) {
                throw new InvalidValue("period", "month", InvalidValue.quoted(period));
            }
            if (timeZone != null) {
                InvalidValue.text("time_zone", timeZone, TEXT_CHARS_MAX);
            }
            Runs.checkText("reason", reason);
        }
    }

    /**
     * A database login that reads the limits and counters of one organisation.
     *
     * @param password the new password, which is shown this once
     * @param database where to connect: host, port and name of the database
     */
    public record Reader(String organisation, String login, String password, String database) {}
}
