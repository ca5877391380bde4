package dev.weir.core.definition;

import org.jspecify.annotations.Nullable;

/**
 * What a step's result leads to.
 *
 * @param outputSchema what a completed step's output must fit; absent = anything
 * @param compensation what undoes it; absent = nothing
 */
public record Ending(
        OnFailure onFailure,
        OnNeedsInput onNeedsInput,
        @Nullable Schema outputSchema,
        @Nullable Compensation compensation) {
    public static final Ending DEFAULT = new Ending(OnFailure.FAIL, OnNeedsInput.KEEP, null, null);
}
