package dev.weir.engine.shard;

import dev.weir.core.admission.HoldKind;
import dev.weir.core.admission.ModuleDirectory;
import dev.weir.core.command.ConfigureNotices;
import dev.weir.core.plan.Plan;
import dev.weir.core.run.Organisation;
import dev.weir.core.state.NoticeSettings;
import dev.weir.core.state.OrganisationRows;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An organisation in memory, with its newest plans and its position in the sweep. */
final class LoadedOrganisation {
    private static final HoldKind[] HOLD_KINDS = HoldKind.values();

    final Organisation organisation;
    /** The newest plan of each workflow that was requested. Each run keeps the plan that it was accepted with. */
    final Map<String, Plan> plans = new HashMap<>();
    /** The batch that is being decided. It knows how to read plans that are not in memory. */
    @Nullable
    OrganisationBatch currentBatch;
    /** True once the polls that were open before the load have asked again. */
    boolean pollsReopened;
    /** The time of the last committed batch, by the store's clock. */
    long lastCommitAt;
    /** The time of the last sweep, by the monotonic clock. */
    long sweptAt = Long.MIN_VALUE;
    /** The journal's removal count when the organisation was loaded, or last forgot its ended runs. */
    long removalCount;
    /** True if a sweep found a difference, which is not recorded yet. */
    boolean differed;
    /** The number of the last run that the sweep compared. */
    long sweptTo;

    private long reachableSince = Long.MIN_VALUE;
    /** The held steps and runs that the node's counters include, by kind of limit. */
    private final int[] publishedHeld = new int[HOLD_KINDS.length];

    /** Creates an organisation without notices. */
    LoadedOrganisation(OrganisationRows rows, long now) {
        this(rows, null, now);
    }

    LoadedOrganisation(OrganisationRows rows, @Nullable NoticeSettings notices, long now) {
        this.organisation = Organisation.restore(rows, this::newestPlan, now);
        organisation.markStartsTruncated(rows, now);
        if (notices != null) {
            boolean unused =
                    organisation.handle(new ConfigureNotices(notices), now).answer();
        }
        this.lastCommitAt = now;
    }

    /** Records that its workers could not be heard before this time, by the store's clock. */
    void reachableSince(long at) {
        reachableSince = Math.max(reachableSince, at);
        organisation.startListening(reachableSince);
    }

    long reachableSince() {
        return reachableSince;
    }

    /** Brings its part of the node's counters up to date. */
    void publishHeld(Counters counters) {
        ModuleDirectory modules = organisation.view().modules();
        for (HoldKind kind : HOLD_KINDS) {
            publishHeld(kind, modules.held(kind), counters);
        }
    }

    /** Removes its part from the node's counters, because it leaves the memory. */
    void withdrawHeld(Counters counters) {
        for (HoldKind kind : HOLD_KINDS) {
            publishHeld(kind, 0, counters);
        }
    }

    @SuppressWarnings("EnumOrdinal") // every batch publishes, and an array costs less than an EnumMap
    private void publishHeld(HoldKind kind, int held, Counters counters) {
        counters.addHeld(kind, held - publishedHeld[kind.ordinal()]);
        publishedHeld[kind.ordinal()] = held;
    }

    /** The plan of that version, if it is in memory. */
    @Nullable
    Plan findPlan(String workflow, int version) {
        Plan plan = plans.get(workflow);
        return plan != null && plan.version() == version ? plan : null;
    }

    /** Keeps a committed plan, unless a newer one is known. */
    void keepPlan(Plan plan) {
        plans.merge(plan.workflow().name(), plan, (known, other) -> known.version() > other.version() ? known : other);
    }

    /** The newest plan of a workflow. A step always invokes the newest version, as any other start does. */
    private @Nullable Plan newestPlan(String workflow) {
        return organisation
                .findWorkflow(workflow)
                .map(version -> currentBatch().plan(workflow, version.version()))
                .orElse(null);
    }

    private OrganisationBatch currentBatch() {
        if (currentBatch == null) {
            throw new IllegalStateException("expected a decision in progress, found none");
        }
        return currentBatch;
    }
}
