package dev.weir.cli.rig;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Checks that nothing is left of ended work, and that the planned faults really happened. */
final class LeftoverChecker {
    private LeftoverChecker() {}

    static List<String> check(Evidence evidence) {
        List<String> findings = new ArrayList<>();
        evidence.leftovers().forEach((kind, amount) -> {
            if (amount != 0) {
                findings.add("left over: " + amount + " " + kind);
            }
        });
        Map<Fault, Integer> seen = new EnumMap<>(Fault.class);
        for (FaultTrap.InjectedFault injected : evidence.injectedFaults()) {
            boolean committed = injected.fault().commitPoint == CommitTrap.CommitPoint.ANSWERED;
            if (injected.live() >= FaultTrap.LIVE_MIN && injected.answered() == committed) {
                seen.merge(injected.fault(), 1, Integer::sum);
            } else {
                findings.add("does not count: " + injected);
            }
        }
        for (Fault fault : Fault.values()) {
            if (seen.getOrDefault(fault, 0) < fault.times) {
                findings.add("seen " + seen.getOrDefault(fault, 0) + " times instead of " + fault.times + ": "
                        + fault.description);
            }
        }
        return findings;
    }
}
