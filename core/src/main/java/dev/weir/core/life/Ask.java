package dev.weir.core.life;

import dev.weir.core.admission.FanOut;
import dev.weir.core.admission.TicketSpec;
import dev.weir.core.limit.Need;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a step, item or run asks of its limits. It is rendered once, kept with the row, and does not change with later
 * deployments.
 *
 * @param module what does the work
 * @param needs what it asks of shared limits
 */
public record Ask(String module, List<Need> needs, int slots, boolean exclusive, int priority) {
    public Ask {
        needs = List.copyOf(needs);
    }

    TicketSpec spec(@Nullable FanOut fanOut) {
        return new TicketSpec(module, needs, new TicketSpec.Local(slots, exclusive, fanOut), priority);
    }
}
