package dev.weir.core.plan;

import dev.weir.core.definition.WorkflowLimits;
import dev.weir.core.expression.UnitCounter;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import dev.weir.core.limit.Rate;
import dev.weir.core.limit.RunLimitConfig;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Renders the needs of a run: what it takes of the limits on runs. */
public final class RunNeeds {
    private RunNeeds() {}

    /**
     * Returns the needs of a run with that input. A run counts against each of the run limits, so that an operator can
     * configure any. Throws {@link dev.weir.core.expression.RenderFailed} if the {@code run_key} cannot be rendered.
     */
    public static LimitNeeds of(Plan plan, String run, JsonNode input, int priority, UnitCounter counter) {
        WorkflowLimits.PerKey perKey = plan.workflow().limits().perKey();
        String key = perKey == null ? null : perKey.renderKey(RunScope.of("run " + run, run, input, counter));
        return ofKey(plan, key, priority);
    }

    /**
     * Returns the needs of a run with that run key.
     *
     * @param key the rendered key; null if the workflow has none
     */
    public static LimitNeeds ofKey(Plan plan, @Nullable String key, int priority) {
        WorkflowLimits limits = plan.workflow().limits();
        if (limits.maxConcurrentRuns() == null && limits.runsPerMinute() == null && limits.perKey() == null) {
            return plan.defaultRunNeeds(priority);
        }
        List<LimitNeed> needs = new ArrayList<>(3);
        needs.add(need(new LimitId.OrgRuns(), null, null));
        String workflow = plan.workflow().name();
        needs.add(need(new LimitId.WorkflowRuns(workflow), limits.maxConcurrentRuns(), limits.runsPerMinute()));
        WorkflowLimits.PerKey perKey = limits.perKey();
        if (perKey != null && key != null) {
            needs.add(need(new LimitId.RunKey(workflow, key), perKey.maxConcurrentRuns(), perKey.runsPerMinute()));
        }
        return new LimitNeeds(BuiltInModule.RUNS, needs, 1, false, priority);
    }

    private static LimitNeed need(LimitId.Shared limit, @Nullable Integer maxConcurrent, @Nullable Integer perMinute) {
        int parallelism = maxConcurrent == null ? LimitNeed.UNLIMITED : maxConcurrent;
        return new LimitNeed(
                limit,
                parallelism,
                1,
                perMinute == null ? null : Rate.sliding(perMinute, RunLimitConfig.MINUTE_MICROS),
                1);
    }
}
