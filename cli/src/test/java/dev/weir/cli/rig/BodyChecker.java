package dev.weir.cli.rig;

import dev.weir.cli.rig.Notes.Body;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Checks, from the workers' own records alone, that attempts at the same time never exceed a capacity. */
final class BodyChecker {
    private BodyChecker() {}

    private record Change(long at, Load.Hold hold, int by) {}

    static List<String> check(Evidence evidence) {
        List<Change> changes = new ArrayList<>();
        for (Body body : evidence.bodies()) {
            if (body.lost()) {
                continue;
            }
            for (Load.Hold hold : holds(body)) {
                changes.add(new Change(body.began(), hold, hold.weight()));
                changes.add(new Change(body.ended(), hold, -hold.weight()));
            }
        }
        changes.sort(Comparator.comparingLong(Change::at).thenComparingInt(Change::by));
        List<String> findings = new ArrayList<>();
        Map<String, Integer> held = new HashMap<>();
        for (Change change : changes) {
            int now = held.merge(change.hold.of(), change.by, Integer::sum);
            if (now > change.hold.most()) {
                findings.add("bodies at once: " + now + " of " + change.hold.most() + " of " + change.hold.of());
            }
        }
        return findings;
    }

    private static List<Load.Hold> holds(Body body) {
        List<Load.Hold> holds =
                new ArrayList<>(Load.local(body.module(), body.unit().run()));
        for (Need need : Load.task(body.module()).needs()) {
            holds.add(new Load.Hold(need.limit(), need.weight(), Load.KEYS.getOrDefault(need.limit(), 0)));
        }
        return holds;
    }
}
