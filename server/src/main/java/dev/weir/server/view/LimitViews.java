package dev.weir.server.view;

import dev.weir.api.Limits.LimitValue;
import dev.weir.api.Limits.RunLimitsView;
import dev.weir.core.admission.LimitSnapshot;
import dev.weir.core.definition.WorkflowLimits;
import dev.weir.core.explain.OrganisationQueries.RunLimitSnapshot;
import dev.weir.core.limit.OperatorSetting;
import dev.weir.core.limit.RunLimitConfig;
import dev.weir.engine.records.WorkflowRecord;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Converts the limits on runs of a workflow to the wire format. */
public final class LimitViews {
    private LimitViews() {}

    public static RunLimitsView runLimits(
            WorkflowRecord workflow, RunLimitSnapshot snapshot, @Nullable String warning) {
        RunLimitConfig config = snapshot.config();
        LimitSnapshot usage = snapshot.usage();
        JsonNode defined = workflow.definition().path("limits");
        Integer depth = integer(defined, "max_cascade_depth");
        var value = new Values(snapshot.now());
        return new RunLimitsView(
                workflow.name(),
                config.change().version(),
                config.change().version() == RunLimitConfig.NO_VERSION
                        ? null
                        : WireWords.at(config.change().at()),
                config.change().reason(),
                value.of(
                        config.maxConcurrentRuns(),
                        integer(defined, "max_concurrent_runs"),
                        usage == null ? 0L : (Long) (long) usage.used()),
                value.of(
                        config.runsPerMinute(),
                        integer(defined, "runs_per_minute"),
                        usage == null || usage.rate() == null ? null : (Long) usage.rateUsed()),
                value.of(config.maxConcurrentRunsPerKey(), integer(defined, "max_concurrent_runs_per_key"), null),
                value.of(config.maxCascadeDepth(), depth == null ? WorkflowLimits.DEFAULT_CASCADE_DEPTH : depth, null),
                usage == null ? 0 : usage.waiting(),
                warning);
    }

    private static @Nullable Integer integer(JsonNode object, String field) {
        JsonNode value = object.get(field);
        return value == null ? null : (Integer) value.intValue();
    }

    /** Joins the operator's and the defined value of a limit at one time. */
    private record Values(long now) {
        LimitValue of(OperatorSetting<Integer> setting, @Nullable Integer defined, @Nullable Long used) {
            Integer set = setting.at(now);
            boolean temporary = setting.temporary() != null && setting.until() > now;
            return new LimitValue(
                    set == null ? defined : set,
                    defined,
                    set,
                    temporary ? WireWords.at(setting.until()) : null,
                    temporary ? setting.lasting() : null,
                    used);
        }
    }
}
