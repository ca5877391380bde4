package dev.weir.core.life;

import dev.weir.core.admission.RunGate;
import org.jspecify.annotations.Nullable;

/**
 * Sets an operator's values for a run's own limits, at once; lowering stops nothing that runs.
 *
 * @param overrides the values; absent = the definition's again
 */
public record OverrideRun(String run, RunGate.@Nullable Overrides overrides) implements Command<OverrideRun.Answer> {
    /** What the operator is told. */
    public enum Answer {
        OVERRIDDEN,
        NOT_FOUND
    }

    @Override
    public Answer decide(Organisation org, long now) {
        Run found = org.runs.get(run);
        if (found == null) {
            return Answer.NOT_FOUND;
        }
        found.overrides = overrides;
        if (found.gate != null) {
            org.admission.override(found.gate, overrides);
        }
        org.moves.add(new Move.RunOverridden(found.ref, overrides, now));
        return Answer.OVERRIDDEN;
    }
}
