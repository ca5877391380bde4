package dev.weir.core.command;

import dev.weir.core.json.StorableJson;
import dev.weir.core.limit.FieldChange;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.Moment;
import dev.weir.core.limit.OperatorSetting;
import dev.weir.core.limit.RunLimitConfig;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Changes an operator's values for the limits on the runs of a workflow. They apply at once to the runs of every
 * version, also to those that are queued. A lower value stops nothing that runs.
 *
 * @param ifVersion the version that the configuration must have; absent = any
 */
public record ConfigureRunLimits(
        String workflow, Values values, @Nullable Long ifVersion)
        implements Command<ConfigureRunLimits.Answer>, AuditedCommand {
    /** The answer to the operator. */
    public sealed interface Answer {
        /** The configuration after the change. */
        record Configured(RunLimitConfig config) implements Answer {}

        /** The configuration has another version than the operator expected. */
        record OtherVersion(long version) implements Answer {}

        /** No workflow of that name is registered. */
        record NotFound() implements Answer {}
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
            Note note,
            long until) {}

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
        return "the limits on runs of workflow " + workflow;
    }

    @Override
    public String auditTarget() {
        return "workflow:" + workflow;
    }

    @Override
    public @Nullable JsonNode auditState(OrganisationControls org, long now) {
        return AuditValues.runLimits(org.keys().findRunLimits(new LimitId.WorkflowRuns(workflow)));
    }

    @Override
    public Answer decide(OrganisationControls org, long now) {
        if (org.workflows().findWorkflow(workflow).isEmpty()) {
            return new Answer.NotFound();
        }
        var limit = new LimitId.WorkflowRuns(workflow);
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
                change);
        if (after.hasSameValues(before)) {
            return new Answer.Configured(before);
        }
        org.keys().configureRunLimits(limit, after, now);
        return new Answer.Configured(after);
    }

    /** Returns the setting after the change, without a temporary value that has ended. */
    private OperatorSetting<Integer> changed(OperatorSetting<Integer> before, FieldChange<Integer> change, long now) {
        OperatorSetting<Integer> current =
                before.until() <= now ? OperatorSetting.of(before.lasting(), Moment.NEVER) : before;
        return current.with(change, values.until);
    }
}
