package dev.weir.postgres.journal;

import dev.weir.core.state.Attribution;
import dev.weir.core.state.Move;
import dev.weir.core.state.Suspension;
import dev.weir.core.state.WorkflowAvailability;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The changes of what an organisation may start, in one transaction, and their entries in the administration's audit. */
final class StopChanges {
    private Move.@Nullable SuspensionChanged suspension;
    private final Map<String, Move.AvailabilityChanged> workflows = new TreeMap<>();
    private final List<Move.DeletionOrdered> deletions = new ArrayList<>();
    private final List<Move.AdministrationAudited> audit = new ArrayList<>();

    void apply(Move.OfStops move) {
        switch (move) {
            case Move.SuspensionChanged changed -> suspension = changed;
            case Move.AvailabilityChanged changed -> workflows.put(changed.workflow(), changed);
        }
    }

    void apply(Move.AdministrationAudited audited) {
        audit.add(audited);
    }

    void apply(Move.DeletionOrdered ordered) {
        deletions.add(ordered);
    }

    void addTo(RowWrites writes, int org) {
        deletions.forEach(each -> writes.add("insert_deletions", each.id(), org, each.run(), each.at()));
        if (suspension != null) {
            Suspension now = suspension.suspension();
            writes.add(
                    "update_suspensions",
                    org,
                    now == null ? null : (Long) now.since(),
                    now == null ? null : now.reason());
        }
        for (Move.AvailabilityChanged changed : workflows.values()) {
            if (changed.availability() == WorkflowAvailability.OPEN) {
                writes.add("delete_workflow_availability", org, changed.workflow());
            } else {
                writes.add(
                        "upsert_workflow_availability",
                        org,
                        changed.workflow(),
                        changed.availability().word(),
                        changed.at());
            }
        }
        for (Move.AdministrationAudited each : audit) {
            Attribution by = each.by();
            writes.add(
                    "append_to_administration",
                    each.at(),
                    by.actor(),
                    by.origin().word(),
                    by.requestId(),
                    by.reason(),
                    each.change().action(),
                    each.change().target(),
                    each.change().before(),
                    each.change().after());
        }
    }
}
