package dev.weir.core.definition;

import dev.weir.core.expression.Template;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What must be so before a step is ready.
 *
 * @param needs the steps that must have ended
 * @param requires the values that must be there
 * @param condition whether it runs at all ({@code if}); absent = all needs completed or continued
 * @param gate the approval that it waits for; absent = none
 */
public record Preconditions(
        List<String> needs,
        List<DataPath> requires,
        @Nullable Template condition,
        @Nullable Gate gate) {
    public static final Preconditions NONE = new Preconditions(List.of(), List.of(), null, null);

    public Preconditions {
        needs = List.copyOf(needs);
        requires = List.copyOf(requires);
    }
}
