package dev.weir.cli.rig;

import dev.weir.cli.rig.ClientLog.AcceptedRun;
import dev.weir.cli.rig.ClientLog.ClaimRecord;
import dev.weir.cli.rig.ClientLog.LimitChange;
import dev.weir.cli.rig.ClientLog.Unit;
import dev.weir.cli.rig.FaultTrap.InjectedFault;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Everything that the checkers examine: the events that the transactions logged, the rows at the end, the records
 * of workers, starters and operators, and the faults.
 *
 * @param leftovers the rows of each kind, and the use of each key, that remain of ended work
 */
record Evidence(
        List<Event> events,
        List<Run> runs,
        List<Step> steps,
        List<ClaimRecord> claims,
        List<AcceptedRun> acceptedRuns,
        List<LimitChange> limitChanges,
        List<InjectedFault> injectedFaults,
        Map<String, Long> leftovers) {
    private static final Set<String> RELEASES = Set.of("reported", "expired", "timed_out", "cancelled");

    Evidence {
        events = List.copyOf(events);
        runs = List.copyOf(runs);
        steps = List.copyOf(steps);
        claims = List.copyOf(claims);
        acceptedRuns = List.copyOf(acceptedRuns);
        limitChanges = List.copyOf(limitChanges);
        injectedFaults = List.copyOf(injectedFaults);
        leftovers = Map.copyOf(leftovers);
    }

    /** A step or item as rows identify it. */
    record RowKey(long run, int step, int item) {}

    /** An event of the claim log. Times are the database's, in microseconds. */
    record Event(long at, String kind, RowKey key, long fence, JsonNode limitNeeds, String limit, JsonNode value) {
        boolean isGrant() {
            return kind.equals("granted");
        }

        boolean isRelease() {
            return RELEASES.contains(kind);
        }

        String module() {
            return limitNeeds.path("module").asString();
        }

        List<Need> needs() {
            List<Need> needs = new ArrayList<>();
            limitNeeds.path("needs").forEach(need -> needs.add(Need.of(need)));
            return needs;
        }
    }

    record Run(long number, String id, String workflow, String state, long startedAt, long endedAt) {}

    record Step(RowKey key, String state, long fence, JsonNode last) {}

    /** A claim, identified by its step or item and its fence. */
    record Grant(Unit unit, long fence) {}

    List<Event> grants() {
        return events.stream().filter(Event::isGrant).toList();
    }

    Map<Long, Run> runsByNumber() {
        Map<Long, Run> byNumber = new HashMap<>();
        runs.forEach(run -> byNumber.put(run.number, run));
        return byNumber;
    }

    /**
     * Maps the keys of rows to the ids that workers use. Modules are named workflow.step, and every grant names its
     * module.
     */
    Map<RowKey, Unit> units() {
        Map<Long, Run> byNumber = runsByNumber();
        Map<RowKey, Unit> units = new LinkedHashMap<>();
        for (Event grant : grants()) {
            Run run = byNumber.get(grant.key.run);
            String id = run == null ? "run number " + grant.key.run + ", which has no row" : run.id;
            units.put(grant.key, new Unit(id, Load.task(grant.module()).step(), grant.key.item));
        }
        return units;
    }

    static String name(@Nullable Unit unit) {
        return unit == null
                ? "a step that was never granted"
                : unit.run() + "/" + unit.step() + (unit.item() < 0 ? "" : "/" + unit.item());
    }
}
