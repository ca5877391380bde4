package dev.weir.core.command;

import dev.weir.core.admission.RunOverrides;
import dev.weir.core.limit.FieldChange;
import dev.weir.core.limit.Moment;
import dev.weir.core.state.RunRow;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Changes an operator's values for a run's own limits. They apply at once; a lower value stops nothing that runs. */
public record OverrideRun(String run, Values values) implements RunCommand<OverrideRun.Answer>, AuditedRunCommand {
    /** The answer to the operator. */
    public enum Answer {
        OVERRIDDEN,
        NOT_FOUND
    }

    /**
     * The changes.
     *
     * @param until the time when the new values expire; {@link Moment#NEVER} for permanent ones
     * @param replacing true if the previous values are dropped first, so that a kept field has no value
     */
    public record Values(FieldChange<Integer> maxSteps, FieldChange<Integer> maxSlots, long until, boolean replacing) {}

    /** Replaces all values by permanent ones. Without a value, the definition's applies again. */
    public static OverrideRun replacing(String run, @Nullable Integer maxSteps, @Nullable Integer maxSlots) {
        return new OverrideRun(
                run,
                new Values(
                        FieldChange.replaceOrKeep(maxSteps), FieldChange.replaceOrKeep(maxSlots), Moment.NEVER, true));
    }

    @Override
    public @Nullable JsonNode data() {
        return null;
    }

    @Override
    public Answer decide(RunControl runs, long now) {
        RunRow found = runs.findRun(run).orElse(null);
        if (found == null) {
            return Answer.NOT_FOUND;
        }
        RunOverrides own = found.overrides();
        RunOverrides before = own == null || values.replacing ? RunOverrides.NONE : own;
        var changed = new RunOverrides(
                before.maxSteps().with(values.maxSteps, values.until),
                before.maxSlots().with(values.maxSlots, values.until));
        runs.override(run, changed.equals(RunOverrides.NONE) ? null : changed, now);
        return Answer.OVERRIDDEN;
    }

    @Override
    public @Nullable JsonNode auditState(OrganisationControls org, long now) {
        return org.runs()
                .findRun(run)
                .map(found -> AuditValues.overrides(found.overrides()))
                .orElse(null);
    }
}
