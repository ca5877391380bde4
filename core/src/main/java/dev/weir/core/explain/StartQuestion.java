package dev.weir.core.explain;

import dev.weir.core.definition.Workflow;
import dev.weir.core.plan.LimitNeeds;

/**
 * A start that is only evaluated.
 *
 * @param needs what the run would take of the limits on runs
 * @param depth the number of runs and events before it in its chain
 */
public record StartQuestion(Workflow workflow, LimitNeeds needs, int depth) {}
