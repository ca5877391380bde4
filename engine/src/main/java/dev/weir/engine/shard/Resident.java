package dev.weir.engine.shard;

import dev.weir.core.life.Organisation;
import dev.weir.core.life.Plan;
import dev.weir.core.life.Rows;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An organisation that is in memory. */
final class Resident {
    final Organisation organisation;
    /** The newest plan of each workflow, as far as it was asked for; runs hold those that they were accepted with. */
    final Map<String, Plan> plans = new HashMap<>();
    /** What is being decided; it knows where plans are read that are not at hand. */
    @Nullable
    Turn turn;
    /** Whether those who waited for work before it was read have asked again. */
    boolean rejoined;
    /** When something last happened to it, by the store's clock. */
    long touchedAt;
    /** When it was last compared with its rows, by the monotonic clock. */
    long sweptAt = Long.MIN_VALUE;
    /** The number of the last run that the sweep has compared. */
    long sweptTo;

    private long expiriesFrom = Long.MIN_VALUE;

    Resident(Rows rows, long now) {
        this.organisation = Organisation.restore(rows, this::newest, now);
        this.touchedAt = now;
    }

    /** Lets no claim expire before that time, by the store's clock. */
    void holdExpiries(long until) {
        expiriesFrom = Math.max(expiriesFrom, until);
        organisation.holdExpiries(expiriesFrom);
    }

    long expiriesFrom() {
        return expiriesFrom;
    }

    /** The plan of that version, if it is at hand. */
    @Nullable
    Plan findPlan(String workflow, int version) {
        Plan plan = plans.get(workflow);
        return plan != null && plan.version() == version ? plan : null;
    }

    /** Keeps a plan that was committed, unless there is a newer one. */
    void keep(Plan plan) {
        plans.merge(plan.workflow().name(), plan, (known, other) -> known.version() > other.version() ? known : other);
    }

    /** What a step invokes is always the newest version, as with any other start. */
    private @Nullable Plan newest(String workflow) {
        return organisation
                .findWorkflow(workflow)
                .map(version -> turn().plan(workflow, version.version()))
                .orElse(null);
    }

    private Turn turn() {
        if (turn == null) {
            throw new IllegalStateException("expected that something is being decided, found nothing");
        }
        return turn;
    }
}
