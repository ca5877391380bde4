package dev.weir.engine.shard;

import dev.weir.core.plan.Plan;
import dev.weir.core.run.Organisation;
import dev.weir.core.state.OrganisationRows;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An organisation in memory, with its newest plans and its position in the sweep. */
final class LoadedOrganisation {
    final Organisation organisation;
    /** The newest plan of each workflow that was requested. Each run keeps the plan that it was accepted with. */
    final Map<String, Plan> plans = new HashMap<>();
    /** The batch that is being decided. It knows how to read plans that are not in memory. */
    @Nullable
    OrganisationBatch turn;
    /** True once the polls that were open before the load have asked again. */
    boolean rejoined;
    /** The time of the last committed batch, by the store's clock. */
    long touchedAt;
    /** The time of the last sweep, by the monotonic clock. */
    long sweptAt = Long.MIN_VALUE;
    /** The journal's removal count when the organisation was loaded, or last forgot its ended runs. */
    long removals;
    /** The number of the last run that the sweep compared. */
    long sweptTo;

    private long heardFrom = Long.MIN_VALUE;

    LoadedOrganisation(OrganisationRows rows, long now) {
        this.organisation = Organisation.restore(rows, this::newest, now);
        organisation.startsAreCut(rows, now);
        this.touchedAt = now;
    }

    /** Records that its workers could not be heard before this time, by the store's clock. */
    void heardFrom(long at) {
        heardFrom = Math.max(heardFrom, at);
        organisation.heardFrom(heardFrom);
    }

    long heardFrom() {
        return heardFrom;
    }

    /** The plan of that version, if it is in memory. */
    @Nullable
    Plan findPlan(String workflow, int version) {
        Plan plan = plans.get(workflow);
        return plan != null && plan.version() == version ? plan : null;
    }

    /** Keeps a committed plan, unless a newer one is known. */
    void keep(Plan plan) {
        plans.merge(plan.workflow().name(), plan, (known, other) -> known.version() > other.version() ? known : other);
    }

    /** The newest plan of a workflow. A step always invokes the newest version, as any other start does. */
    private @Nullable Plan newest(String workflow) {
        return organisation
                .findWorkflow(workflow)
                .map(version -> turn().plan(workflow, version.version()))
                .orElse(null);
    }

    private OrganisationBatch turn() {
        if (turn == null) {
            throw new IllegalStateException("expected that something is being decided, found nothing");
        }
        return turn;
    }
}
