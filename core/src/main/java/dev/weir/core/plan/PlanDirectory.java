package dev.weir.core.plan;

import org.jspecify.annotations.Nullable;

/** The newest plans of an organisation's workflows, for the runs that steps invoke. */
@FunctionalInterface
public interface PlanDirectory {
    /** Returns the newest version of a workflow; null if none is registered. */
    @Nullable
    Plan newest(String workflow);
}
