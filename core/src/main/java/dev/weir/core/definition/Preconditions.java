package dev.weir.core.definition;

import dev.weir.core.expression.Template;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The conditions under which a step becomes ready.
 *
 * @param needs the steps that must have ended
 * @param requires the values that must be present
 * @param condition the condition for running the step at all ({@code if}); absent = all needs completed or continued
 * @param gate the approval that the step waits for; absent = none
 */
public record Preconditions(
        List<String> needs,
        List<DataPath> requires,
        @Nullable Template condition,
        @Nullable ApprovalGate gate) {
    public static final Preconditions NONE = new Preconditions(List.of(), List.of(), null, null);

    public Preconditions {
        needs = List.copyOf(needs);
        requires = List.copyOf(requires);
    }
}
