package dev.weir.core.run;

import dev.weir.core.admission.Explanation;
import dev.weir.core.admission.HoldCause;
import dev.weir.core.definition.Workflow;
import dev.weir.core.definition.WorkflowLimits;
import dev.weir.core.limit.HoldCheck;
import dev.weir.core.limit.LimitId;
import dev.weir.core.limit.LimitNeed;
import dev.weir.core.limit.RunLimitConfig;
import dev.weir.core.plan.LimitNeeds;
import dev.weir.core.state.FullQueue;
import dev.weir.core.state.RunRequest;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The rules that decide about a start before the run is accepted: the length of its chain, and the ceilings on waiting
 * runs. A dry run uses the same rules.
 */
final class StartRules {
    private final LiveOrganisation org;

    StartRules(LiveOrganisation org) {
        this.org = org;
    }

    /**
     * Returns the longest chain of runs and events: the smallest of the workflow's and the organisation's values. An
     * operator's value for the workflow replaces that of the definition. Without any value, the default applies.
     */
    int maxCascadeDepth(Workflow workflow, long now) {
        Integer configured = config(new LimitId.WorkflowRuns(workflow.name()), now);
        Integer own = configured == null ? workflow.limits().maxCascadeDepth() : configured;
        Integer ofOrganisation = config(new LimitId.OrgRuns(), now);
        if (own == null || ofOrganisation == null) {
            Integer only = own == null ? ofOrganisation : own;
            return only == null ? WorkflowLimits.DEFAULT_CASCADE_DEPTH : only;
        }
        return Math.min(own, ofOrganisation);
    }

    private @Nullable Integer config(LimitId.Runs limit, long now) {
        return org.operatorSettings.findRunLimits(limit).maxCascadeDepth().at(now);
    }

    /**
     * Finds a limit whose waiting runs have reached their ceiling, if the run would have to wait. A run that a step
     * invokes always may wait: it is part of work that was accepted before.
     */
    Optional<FullQueue> findFullQueue(RunRequest request, Supplier<LimitNeeds> needs, long now) {
        boolean isChild = request.lineage().parent() != null;
        if (isChild || !org.operatorSettings.hasQueueCeilings()) {
            return Optional.empty();
        }
        LimitNeeds own = needs.get();
        if (own.needs().stream().noneMatch(need -> hasReachedCeiling(need.limit(), now))) {
            return Optional.empty();
        }
        // Runs that were accepted in the same decision may be about to start; they do not wait.
        org.runLifecycle.keepOwnPollOpen(now);
        org.claims.applyGrants(org.admission.pass(now), now);
        return findFullQueue(own, now);
    }

    /** Finds a limit whose waiting runs have reached their ceiling, if a run with these needs would have to wait. */
    Optional<FullQueue> findFullQueue(LimitNeeds needs, long now) {
        if (!org.operatorSettings.hasQueueCeilings()) {
            return Optional.empty();
        }
        for (LimitNeed need : needs.needs()) {
            Integer max = maxQueuedRuns(need.limit(), now);
            if (max != null && hasReachedCeiling(need.limit(), now)) {
                List<Explanation.Blocker> holds = explainStart(needs, now).blockers();
                int waiting = org.admission.waitingFor(need.limit());
                return holds.isEmpty()
                        ? Optional.empty()
                        : Optional.of(new FullQueue(need.limit(), waiting, max, retryAfter(holds, now)));
            }
        }
        return Optional.empty();
    }

    private boolean hasReachedCeiling(LimitId.Shared limit, long now) {
        Integer max = maxQueuedRuns(limit, now);
        return max != null && org.admission.waitingFor(limit) >= max;
    }

    private @Nullable Integer maxQueuedRuns(LimitId.Shared limit, long now) {
        RunLimitConfig config = org.operatorSettings.runLimits.get(limit);
        return config == null ? null : config.maxQueuedRuns().at(now);
    }

    /** Returns the time until the first hold may end; at least one interval between checks. */
    private static long retryAfter(List<Explanation.Blocker> holds, long now) {
        long earliest = Long.MAX_VALUE;
        for (Explanation.Blocker hold : holds) {
            Explanation.Expected expected = hold.expected();
            earliest = Math.min(earliest, expected == null ? now : expected.at());
        }
        return Math.max(HoldCheck.INTERVAL_MICROS, earliest - now);
    }

    /** Explains why a run with these needs would not start now; without reasons if it would. */
    Explanation explainStart(LimitNeeds needs, long now) {
        List<Explanation.Blocker> holds = org.admission.explainStart(needs.toTicketSpec(null), now).blockers().stream()
                .filter(hold -> hold.cause() != HoldCause.NO_WORKER)
                .toList();
        return new Explanation(holds);
    }
}
