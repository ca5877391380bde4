package dev.weir.engine.shard;

import dev.weir.core.life.Organisation;
import dev.weir.core.life.Plan;
import java.util.HashMap;
import java.util.Map;

/** An organisation that is in memory. */
final class Resident {
    final Organisation organisation;
    /** Plans of workflows, by name and version, that were committed. */
    final Map<String, Plan> plans = new HashMap<>();
    /** Whether those who waited for work before it was read have asked again. */
    boolean rejoined;
    /** When something last happened to it, by the store's clock. */
    long touchedAt;
    /** When it was last compared with its rows, by the monotonic clock. */
    long sweptAt = Long.MIN_VALUE;
    /** The number of the last run that the sweep has compared. */
    long sweptTo;

    Resident(Organisation organisation, long now) {
        this.organisation = organisation;
        this.touchedAt = now;
    }
}
