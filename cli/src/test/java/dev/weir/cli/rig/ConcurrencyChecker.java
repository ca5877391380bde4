package dev.weir.cli.rig;

import dev.weir.cli.rig.ClientLog.ClaimRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Checks, from the workers' own records alone, that attempts at the same time never exceed a capacity. */
final class ConcurrencyChecker {
    private ConcurrencyChecker() {}

    private record Change(long at, Load.LimitUse use, int by) {}

    static List<String> check(Evidence evidence) {
        List<Change> changes = new ArrayList<>();
        for (ClaimRecord claim : evidence.claims()) {
            if (claim.lost()) {
                continue;
            }
            for (Load.LimitUse use : limitUses(claim)) {
                changes.add(new Change(claim.startedAt(), use, use.weight()));
                changes.add(new Change(claim.endedAt(), use, -use.weight()));
            }
        }
        changes.sort(Comparator.comparingLong(Change::at).thenComparingInt(Change::by));
        List<String> findings = new ArrayList<>();
        Map<String, Integer> allocated = new HashMap<>();
        for (Change change : changes) {
            int now = allocated.merge(change.use.limit(), change.by, Integer::sum);
            if (now > change.use.max()) {
                findings.add("bodies at once: " + now + " of " + change.use.max() + " of " + change.use.limit());
            }
        }
        return findings;
    }

    private static List<Load.LimitUse> limitUses(ClaimRecord claim) {
        List<Load.LimitUse> uses =
                new ArrayList<>(Load.runLimitUses(claim.module(), claim.unit().run()));
        for (Need need : Load.task(claim.module()).needs()) {
            uses.add(new Load.LimitUse(need.limit(), need.weight(), Load.KEYS.getOrDefault(need.limit(), 0)));
        }
        return uses;
    }
}
