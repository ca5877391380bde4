package dev.weir.core.command;

import dev.weir.core.json.StorableJson;
import dev.weir.core.limit.FieldChange;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.limit.OperatorSetting;
import dev.weir.core.limit.RunLimitConfig;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Changes an operator's values for the limits on the runs of the organisation, of a workflow, or of one run key. They
 * apply at once, to the runs of every version, also to those that are queued. A lower value stops nothing that runs.
 *
 * @param ifVersion the version that the configuration must have; absent = any
 */
public record ConfigureRunLimits(
        LimitId.Runs limit, Values values, @Nullable Long ifVersion)
        implements Command<ConfigureRunLimits.Answer>, AuditedCommand {
    /** The most run keys of an organisation that may have a configuration of their own. */
    public static final int RUN_KEYS_MAX = 10_000;

    /** Creates a change for the runs of a workflow. */
    public ConfigureRunLimits(String workflow, Values values, @Nullable Long ifVersion) {
        this(new LimitId.WorkflowRuns(workflow), values, ifVersion);
    }

    /** The answer to the operator. */
    public sealed interface Answer {
        /** The configuration after the change. */
        record Configured(RunLimitConfig config) implements Answer {}

        /** The configuration has another version than the operator expected. */
        record OtherVersion(long version) implements Answer {}

        /** No workflow of that name is registered. */
        record NotFound() implements Answer {}

        /** The limit has no such value, such as a cascade depth of one run key. */
        record NoSuchValue(String field) implements Answer {}

        /** Too many run keys have a configuration of their own. */
        record TooManyRunKeys() implements Answer {}
    }

    /**
     * The changes. Each field can be changed alone; a kept field stays as it is.
     *
     * @param note the actor and the reason, which are stored with the new values
     * @param until the time when the new values expire; {@link Moment#NEVER} for permanent ones
     */
    public record Values(
            FieldChange<Integer> maxConcurrentRuns,
            FieldChange<Integer> runsPerMinute,
            FieldChange<Integer> maxConcurrentRunsPerKey,
            FieldChange<Integer> maxCascadeDepth,
            FieldChange<Integer> maxQueuedRuns,
            FieldChange<Long> defaultDebounce,
            Notices notices,
            Note note,
            long until) {
        /** Creates changes that keep the ceiling on waiting runs and the default debounce. */
        public Values(
                FieldChange<Integer> maxConcurrentRuns,
                FieldChange<Integer> runsPerMinute,
                FieldChange<Integer> maxConcurrentRunsPerKey,
                FieldChange<Integer> maxCascadeDepth,
                Note note,
                long until) {
            this(
                    maxConcurrentRuns,
                    runsPerMinute,
                    maxConcurrentRunsPerKey,
                    maxCascadeDepth,
                    new FieldChange.Keep<>(),
                    new FieldChange.Keep<>(),
                    Notices.KEPT,
                    note,
                    until);
        }

        /** Creates changes that keep the thresholds of notices. */
        public Values(
                FieldChange<Integer> maxConcurrentRuns,
                FieldChange<Integer> runsPerMinute,
                FieldChange<Integer> maxConcurrentRunsPerKey,
                FieldChange<Integer> maxCascadeDepth,
                FieldChange<Integer> maxQueuedRuns,
                FieldChange<Long> defaultDebounce,
                Note note,
                long until) {
            this(
                    maxConcurrentRuns,
                    runsPerMinute,
                    maxConcurrentRunsPerKey,
                    maxCascadeDepth,
                    maxQueuedRuns,
                    defaultDebounce,
                    Notices.KEPT,
                    note,
                    until);
        }
    }

    /**
     * The changes of the thresholds of notices, which only an organisation has.
     *
     * @param oldestWaiter the waiting time at which a notice is issued, in microseconds
     * @param deadLetters the number of open dead letters at which a notice is issued
     */
    public record Notices(FieldChange<Long> oldestWaiter, FieldChange<Integer> deadLetters) {
        public static final Notices KEPT = new Notices(new FieldChange.Keep<>(), new FieldChange.Keep<>());
    }

    /** The operator and the reason of a change, as far as they are known. */
    public record Note(@Nullable String actor, @Nullable String reason) {
        public static final Note NONE = new Note(null, null);
        public static final int CHARS_MAX = 2_000;

        /** Shortens the texts and makes them storable, whatever the operator sent. */
        public Note {
            actor = actor == null ? null : StorableJson.sanitize(actor, CHARS_MAX);
            reason = reason == null ? null : StorableJson.sanitize(reason, CHARS_MAX);
        }
    }

    @Override
    public @Nullable JsonNode data() {
        return null;
    }

    @Override
    public @Nullable String describeTarget() {
        return "the limits on runs " + limit.text();
    }

    @Override
    public String auditTarget() {
        return switch (limit) {
            case LimitId.OrgRuns ignored -> "organisation";
            case LimitId.WorkflowRuns runs -> "workflow:" + runs.workflow();
            case LimitId.RunKey key -> key.text();
        };
    }

    @Override
    public @Nullable JsonNode auditState(OrganisationControls org, long now) {
        return AuditValues.runLimits(org.keys().findRunLimits(limit));
    }

    @Override
    public Answer decide(OrganisationControls org, long now) {
        Optional<Answer> refusal = findRefusal(org);
        if (refusal.isPresent()) {
            return refusal.get();
        }
        RunLimitConfig before = org.keys().findRunLimits(limit);
        long version = before.change().version();
        if (ifVersion != null && ifVersion != version) {
            return new Answer.OtherVersion(version);
        }
        var change = new RunLimitConfig.Change(version + 1, values.note.actor, values.note.reason, now);
        var after = new RunLimitConfig(
                changed(before.maxConcurrentRuns(), values.maxConcurrentRuns, now),
                changed(before.runsPerMinute(), values.runsPerMinute, now),
                changed(before.maxConcurrentRunsPerKey(), values.maxConcurrentRunsPerKey, now),
                changed(before.maxCascadeDepth(), values.maxCascadeDepth, now),
                changed(before.maxQueuedRuns(), values.maxQueuedRuns, now),
                changed(before.defaultDebounce(), values.defaultDebounce, now),
                changed(before.noticeOldestWaiter(), values.notices.oldestWaiter, now),
                changed(before.noticeDeadLetters(), values.notices.deadLetters, now),
                change);
        if (after.hasSameValues(before)) {
            return new Answer.Configured(before);
        }
        org.keys().configureRunLimits(limit, after, now);
        return new Answer.Configured(after);
    }

    private Optional<Answer> findRefusal(OrganisationControls org) {
        return switch (limit) {
            case LimitId.OrgRuns ignored -> refusal("max_concurrent_runs_per_key", values.maxConcurrentRunsPerKey);
            case LimitId.WorkflowRuns runs ->
                unknownWorkflow(runs.workflow(), org).or(this::noticeRefusal);
            case LimitId.RunKey key ->
                unknownWorkflow(key.workflow(), org)
                        .or(() -> refusal("max_concurrent_runs_per_key", values.maxConcurrentRunsPerKey))
                        .or(() -> refusal("max_cascade_depth", values.maxCascadeDepth))
                        .or(() -> refusal("default_debounce", values.defaultDebounce))
                        .or(this::noticeRefusal)
                        .or(() -> tooManyRunKeys(org));
        };
    }

    private Optional<Answer> noticeRefusal() {
        return refusal("notice_oldest_waiter", values.notices.oldestWaiter)
                .or(() -> refusal("notice_dead_letters", values.notices.deadLetters));
    }

    private static Optional<Answer> unknownWorkflow(String workflow, OrganisationControls org) {
        return org.workflows().findWorkflow(workflow).isEmpty() ? Optional.of(new Answer.NotFound()) : Optional.empty();
    }

    private static Optional<Answer> refusal(String field, FieldChange<?> change) {
        return change instanceof FieldChange.Keep<?> ? Optional.empty() : Optional.of(new Answer.NoSuchValue(field));
    }

    private Optional<Answer> tooManyRunKeys(OrganisationControls org) {
        boolean isNew = org.keys().findRunLimits(limit).change().version() == RunLimitConfig.NO_VERSION;
        return isNew && org.keys().configuredRunKeys() >= RUN_KEYS_MAX
                ? Optional.of(new Answer.TooManyRunKeys())
                : Optional.empty();
    }

    /** Returns the setting after the change, without a temporary value that has ended. */
    private <T> OperatorSetting<T> changed(OperatorSetting<T> before, FieldChange<T> change, long now) {
        OperatorSetting<T> current =
                before.until() <= now ? OperatorSetting.of(before.lasting(), Moment.NEVER) : before;
        return current.with(change, values.until);
    }
}
