package dev.weir.core.plan;

import dev.weir.core.admission.FanOutLimit;
import dev.weir.core.admission.TicketSpec;
import dev.weir.core.limit.LimitNeed;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The needs of a step, item or run: what it takes of each of its limits. They are rendered once, stored with the row,
 * and do not change with later deployments.
 *
 * @param module the module that does the work
 * @param needs the needs of shared limits
 */
public record LimitNeeds(String module, List<LimitNeed> needs, int slots, boolean exclusive, int priority) {
    public LimitNeeds {
        needs = List.copyOf(needs);
    }

    /** Returns the same needs with the priority of a ticket that an operator put ahead of all others. */
    public LimitNeeds withRunNowPriority() {
        return new LimitNeeds(module, needs, slots, exclusive, TicketSpec.RUN_NOW_PRIORITY);
    }

    /** Converts the needs to a ticket spec. */
    public TicketSpec toTicketSpec(@Nullable FanOutLimit fanOut) {
        return new TicketSpec(module, needs, new TicketSpec.RunDemand(slots, exclusive, fanOut), priority);
    }
}
