package dev.weir.postgres.journal;

import dev.weir.core.life.Plan;
import dev.weir.core.life.RunRow;

/** How rows name a run that lives: its number, and its steps by the plan. Safe for many threads. */
final class Known {
    private final long number;
    private final Plan plan;
    private volatile boolean mayHaveSteps;

    private Known(long number, Plan plan, boolean mayHaveSteps) {
        this.number = number;
        this.plan = plan;
        this.mayHaveSteps = mayHaveSteps;
    }

    /** A run that is being accepted: there are no rows of its steps. */
    static Known accepted(RunRow row) {
        return new Known(row.number(), plan(row), false);
    }

    static Known moved(RunRow row) {
        return found(row.number(), plan(row));
    }

    static Known found(long number, Plan plan) {
        return new Known(number, plan, true);
    }

    private static Plan plan(RunRow row) {
        Plan plan = row.request().plan();
        if (plan.version() == Plan.UNREGISTERED) {
            throw new IllegalArgumentException("expected a run of a workflow that is registered, found run " + row.id()
                    + " of " + plan.workflow().name());
        }
        return plan;
    }

    /** Whether rows name the same run by it. */
    boolean names(Known other) {
        return number == other.number && plan.equals(other.plan);
    }

    long number() {
        return number;
    }

    Plan plan() {
        return plan;
    }

    /** Whether there may be rows of steps that are open; steps that are written with their runs have none. */
    boolean mayHaveSteps() {
        return mayHaveSteps;
    }

    void hasSteps() {
        mayHaveSteps = true;
    }
}
