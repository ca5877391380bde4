package dev.weir.core.definition;

import org.jspecify.annotations.Nullable;

/**
 * The consequences of a step's result.
 *
 * @param outputSchema the schema of a completed step's output; absent = any output
 * @param compensation the work that undoes the step; absent = none
 */
public record ResultRules(
        OnFailure onFailure,
        OnNeedsInput onNeedsInput,
        @Nullable JsonSchema outputSchema,
        @Nullable Compensation compensation) {
    public static final ResultRules DEFAULT = new ResultRules(OnFailure.FAIL, OnNeedsInput.KEEP, null, null);
}
