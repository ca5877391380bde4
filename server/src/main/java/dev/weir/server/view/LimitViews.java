package dev.weir.server.view;

import dev.weir.api.Limits.DurationValue;
import dev.weir.api.Limits.LimitValue;
import dev.weir.api.Limits.RunLimitsView;
import dev.weir.api.Organisations;
import dev.weir.api.Why;
import dev.weir.core.admission.LimitSnapshot;
import dev.weir.core.definition.DurationText;
import dev.weir.core.definition.WorkflowLimits;
import dev.weir.core.explain.RunLimitSnapshot;
import dev.weir.core.explain.StartEvaluation;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.OperatorSetting;
import dev.weir.core.limit.RunLimitConfig;
import dev.weir.core.state.ExecutionCounts;
import dev.weir.engine.records.QuotaRecord;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Converts the limits on runs, and what is known of an organisation as a whole, to the wire format. */
public final class LimitViews {
    private static final double MICROS_PER_SECOND = 1_000_000;

    private LimitViews() {}

    /** Returns the limits of a workflow; {@code defined} is the block of its newest definition. */
    public static RunLimitsView ofWorkflow(
            String workflow, JsonNode defined, RunLimitSnapshot snapshot, @Nullable String warning) {
        var value = new Values(snapshot);
        RunLimitConfig config = snapshot.config();
        Integer depth = integer(defined, "max_cascade_depth");
        return new RunLimitsView(
                workflow,
                null,
                config.change().version(),
                changedAt(config),
                config.change().actor(),
                config.change().reason(),
                value.concurrentRuns(integer(defined, "max_concurrent_runs")),
                value.runsPerMinute(integer(defined, "runs_per_minute")),
                value.of(config.maxConcurrentRunsPerKey(), integer(defined, "max_concurrent_runs_per_key"), null),
                value.of(config.maxCascadeDepth(), depth == null ? WorkflowLimits.DEFAULT_CASCADE_DEPTH : depth, null),
                value.queuedRuns(),
                value.debounce(),
                null,
                null,
                value.waiting(),
                null,
                warning);
    }

    /** Returns the limits of one run key; {@code defined} is the block of the workflow's newest definition. */
    public static RunLimitsView ofRunKey(
            LimitId.RunKey key, JsonNode defined, RunLimitSnapshot snapshot, @Nullable String warning) {
        var value = new Values(snapshot);
        RunLimitConfig config = snapshot.config();
        return new RunLimitsView(
                key.workflow(),
                key.key(),
                config.change().version(),
                changedAt(config),
                config.change().actor(),
                config.change().reason(),
                value.concurrentRuns(integer(defined, "max_concurrent_runs_per_key")),
                value.runsPerMinute(integer(defined, "runs_per_minute_per_key")),
                null,
                null,
                value.queuedRuns(),
                null,
                null,
                null,
                value.waiting(),
                null,
                warning);
    }

    /** Returns the limits of the organisation, and beside them its quota. */
    public static RunLimitsView ofOrganisation(RunLimitSnapshot snapshot, QuotaRecord quota) {
        var value = new Values(snapshot);
        RunLimitConfig config = snapshot.config();
        return new RunLimitsView(
                null,
                null,
                config.change().version(),
                changedAt(config),
                config.change().actor(),
                config.change().reason(),
                value.concurrentRuns(null),
                value.runsPerMinute(null),
                null,
                value.of(config.maxCascadeDepth(), WorkflowLimits.DEFAULT_CASCADE_DEPTH, null),
                value.queuedRuns(),
                value.debounce(),
                value.duration(config.noticeOldestWaiter()),
                value.of(config.noticeDeadLetters(), null, null),
                value.waiting(),
                quota(quota),
                null);
    }

    /** Returns usage, limits and totals of an organisation. */
    public static Organisations.Snapshot snapshot(
            RunLimitSnapshot snapshot, ExecutionCounts counts, double stepsPerSecond) {
        LimitSnapshot usage = snapshot.usage();
        RunLimitConfig config = snapshot.config();
        long now = snapshot.now();
        // Every run asks for the limit of the organisation, so its waiters are the runs that any limit on runs holds.
        long waiting = usage == null ? 0 : usage.totalWaiting();
        return new Organisations.Snapshot(
                usage == null ? 0 : usage.used(),
                usage == null || usage.rate() == null ? null : (Long) usage.rateUsed(),
                waiting,
                waiting,
                new Organisations.SnapshotLimits(
                        config.maxConcurrentRuns().at(now),
                        config.runsPerMinute().at(now),
                        config.maxQueuedRuns().at(now),
                        cascadeDepth(config, now),
                        duration(config.defaultDebounce().at(now))),
                counts.started(),
                counts.deferred(),
                counts.debounced(),
                counts.cascadeDetected(),
                stepsPerSecond);
    }

    private static int cascadeDepth(RunLimitConfig config, long now) {
        Integer set = config.maxCascadeDepth().at(now);
        return set == null ? WorkflowLimits.DEFAULT_CASCADE_DEPTH : set;
    }

    public static Organisations.Quota quota(QuotaRecord quota) {
        return new Organisations.Quota(
                Organisations.WORKFLOW_EXECUTIONS,
                quota.limit(),
                quota.used(),
                quota.remaining(),
                "month",
                quota.timeZone(),
                quota.resetAt());
    }

    public static Organisations.Evaluation evaluation(StartEvaluation evaluation) {
        return switch (evaluation) {
            case StartEvaluation.Allowed ignored -> new Organisations.Evaluation(true, null, null, null);
            case StartEvaluation.Deferred deferred -> {
                List<Why.Reason> why = ReasonViews.of(deferred.reasons());
                String reason = why.stream().map(Why.Reason::message).collect(Collectors.joining("; "));
                yield new Organisations.Evaluation(false, deferred.micros() / MICROS_PER_SECOND, reason, why);
            }
            case StartEvaluation.Closed closed -> new Organisations.Evaluation(false, null, closed.reason(), null);
            case StartEvaluation.Refused refused ->
                new Organisations.Evaluation(
                        false,
                        refused.queue().retryAfter() / MICROS_PER_SECOND,
                        refused.queue().message(),
                        null);
            case StartEvaluation.CascadeDetected cascade ->
                new Organisations.Evaluation(
                        false,
                        null,
                        "cascade_detected: expected a chain of at most " + cascade.maxDepth()
                                + " runs and events before it, found " + cascade.depth(),
                        null);
        };
    }

    private static java.time.@Nullable Instant changedAt(RunLimitConfig config) {
        return config.change().version() == RunLimitConfig.NO_VERSION
                ? null
                : WireWords.at(config.change().at());
    }

    private static @Nullable Integer integer(JsonNode object, String field) {
        JsonNode value = object.get(field);
        return value == null ? null : (Integer) value.intValue();
    }

    private static @Nullable String duration(@Nullable Long micros) {
        return micros == null ? null : DurationText.format(Duration.of(micros, ChronoUnit.MICROS));
    }

    /** Joins the operator's and the defined value of a limit at one time. */
    private record Values(RunLimitSnapshot snapshot) {
        LimitValue concurrentRuns(@Nullable Integer defined) {
            LimitSnapshot usage = snapshot.usage();
            return of(snapshot.config().maxConcurrentRuns(), defined, usage == null ? 0L : (Long) (long) usage.used());
        }

        LimitValue runsPerMinute(@Nullable Integer defined) {
            LimitSnapshot usage = snapshot.usage();
            Long used = usage == null || usage.rate() == null ? null : (Long) usage.rateUsed();
            return of(snapshot.config().runsPerMinute(), defined, used);
        }

        LimitValue queuedRuns() {
            LimitSnapshot usage = snapshot.usage();
            return of(snapshot.config().maxQueuedRuns(), null, usage == null ? 0L : (Long) (long) usage.totalWaiting());
        }

        int waiting() {
            LimitSnapshot usage = snapshot.usage();
            return usage == null ? 0 : usage.waiting();
        }

        DurationValue debounce() {
            return duration(snapshot.config().defaultDebounce());
        }

        DurationValue duration(OperatorSetting<Long> setting) {
            boolean temporary = isTemporary(setting);
            return new DurationValue(
                    LimitViews.duration(setting.at(snapshot.now())),
                    temporary ? WireWords.at(setting.until()) : null,
                    temporary ? LimitViews.duration(setting.lasting()) : null);
        }

        private boolean isTemporary(OperatorSetting<?> setting) {
            return setting.temporary() != null && setting.until() > snapshot.now();
        }

        LimitValue of(OperatorSetting<Integer> setting, @Nullable Integer defined, @Nullable Long used) {
            Integer set = setting.at(snapshot.now());
            boolean temporary = isTemporary(setting);
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
